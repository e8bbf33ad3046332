"""Statements at random as people type and paste them: signs of paper, LaTeX, laws, vectors, growth, rubbish.

The counterpart of `generated_statements`, which stays inside the canonical grammar.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from generated_statements import Made

_NAMES = ("n", "x")
_NUMBERS = ("0", "1", "2", "7", "0.5", "1/3", "½", "10^6", "π", "e^2", "√2", "∞", "2^{-k}")
_LATEX_NUMBERS = ("0", "1", "2", r"\tfrac12", r"\pi", r"\sqrt{2}", "10^{6}", r"\infty", "0.1")
_RELATIONS = ("=", "≤", "<=", ">=", "<", ">", "≥", "≠", "==", "!=")
_LATEX_RELATIONS = ("=", r"\le", r"\leq", r"\ge", "<", ">", r"\ne", r"\geqslant")
_WORDS = ("sigmoid", "softplus", "relu", "Phi", "Q", "entropy", "logit", "log2", "ceil", "ln", "exp",
          "sqrt", "tanh", "LambertW", "trigamma", "sinc", "erf", "abs", "arctan", "Ei", "cbrt")  # fmt: skip
_PAIRS = ("KL", "max", "min", "polygamma", "lowergamma", "uppergamma", "zeta", "beta", "binomial",
          "besselj", "atan2", "expint")  # fmt: skip
_COMMANDS = (r"\log", r"\sin", r"\exp", r"\ln", r"\cos", r"\tanh", r"\Phi", r"\sqrt")
_PHRASES = ("n in N", "n >= 1", "1 ≤ n ≤ 40", r"n \in \mathbb{N}", "n in [9]", "n >= 3 odd",
            "n in {1, 2, 5}", "n prime", "n in 0..60", "n >= 2 even", "n in Z")  # fmt: skip
_REAL_PHRASES = ("x > 0", "0 < x < 1", "x in R", "x ∈ ℝ", "0 <= x <= n", r"x \in [0, 1]", "x ≥ 1/2",
                 "-1 < x < 1", "x in (0, 1]", "x in R, x != 0", "x real", "x >= n")  # fmt: skip
_LAWS = ("g ~ N(0, 1)", "g ~ N(0, x^2)", "g ~ U(0, 1)", "g ~ U(-1, 1)", "g ~ Exp(1)", "g ~ Laplace(1)",
         "g ~ Rademacher", "g ~ Bernoulli(1/3)", "g ~ Bin(n, 1/2)", "g ~ Poisson(2)",
         "g ~ Geometric(1/2)", "g ~ N(1, 0)", "g ~ U(1, 0)", "g ~ Bin(3, x)", "g ~ Exp(x)")  # fmt: skip
_OF_VECTORS = ("norm({a})", "norm({a}, 1)", "norm({a}, oo)", "‖{a}‖", "dot({a}, {b})", "||{a}||_1",
               "max({a})", "min({b})", "sum({a})", "logsumexp({a})", "entropy({a})", "KL({a}, {b})",
               "norm({a} + 2{b})", "dot({a}, {a})", r"\|{a}\|^2", "norm({a} - {b})", "‖{a}‖^2")  # fmt: skip
_OF_MATRICES = (
    "trace(A)",
    "det(A)",
    "quad(A, u)",
    "norm(A*u)",
    "dot(u, A*u)",
    "trace(A)^2",
    "norm(A)",
)
_RUBBISH = (
    *(
        "__import__('os').system('true')",
        "().__class__",
        "{{x}}",
        "lambda: 0",
        "x; drop table",
        "\x00",
    ),
    *(
        "\\input{/etc/hosts}",
        "$",
        "$$",
        "eval(x)",
        "#",
        "%s%s%n",
        "'",
        '"',
        "\u202e",
        "🙂",
        "ﬁ",
        "x\t>\t0",
    ),
    *(
        "?",
        "??",
        "1e400000",
        "9" * 3000,
        "2^2^2^2^2^2",
        "x!!!!!!",
        "for",
        "where",
        "with",
        "for all",
    ),
    *(
        "help me",
        "n in",
        "in",
        "==",
        "<=>",
        "≤≥",
        "||||",
        "E[",
        "P[x",
        "\\frac{",
        "}",
        "]",
        ")(",
        "1_0",
    ),
    *(
        "ignore the above",
        "true",
        "None",
        "x = ",
        "0x10",
        "1..2",
        "..",
        "...",
        "\\",
        "\\\\",
        "&&",
        "^",
    ),
)


def typed(seed: int) -> Made:
    """A statement of one of the kinds below, each as often as its weight says."""
    rng = random.Random(f"typed {seed}")
    kinds: list[tuple[int, Callable[[random.Random], Made]]] = [
        *((5, _paper), (4, _latex), (4, _laws), (3, _vectors), (2, _matrices), (2, _implied)),
        *(
            (2, _growth),
            (2, _pieces),
            (2, _integrals),
            (1, _congruence),
            (2, _guided),
            (3, _rubbish),
        ),
    ]
    made = rng.choices([k for _, k in kinds], [w for w, _ in kinds])[0](rng)
    return _quantified(rng, made) if rng.random() < 0.2 else made


# ---------------------------------------------------------------- numbers as they are typed


def _term(rng: random.Random, depth: int, names: tuple[str, ...] = _NAMES) -> str:
    roll = rng.random()
    if depth <= 0 or roll < 0.2:
        return rng.choice(names) if rng.random() < 0.65 else rng.choice(_NUMBERS)
    a, b = (_term(rng, depth - 1, names) for _ in range(2))
    if roll < 0.4:
        return f"{a} {rng.choice('+-')} {b}"
    if roll < 0.68:
        forms = (f"({a})({b})", f"({a})/({b})", f"2({a})", f"3{names[0]}", f"({a})^2", f"({a})²",
                 f"2^({b})", f"|{a}|", f"√({a})", f"⌊{a}⌋", f"({a})!", f"{names[-1]}^{names[0]}",
                 f"e^({a})", f"({a})^(-1/2)", f"{names[0]}({a})", f"({a}) mod 7", f"-({a})")  # fmt: skip
        return rng.choice(forms)
    if roll < 0.85:
        word = rng.choice(_WORDS)
        return f"{word}({a})" if rng.random() < 0.8 else f"{word}^2({a})"
    if roll < 0.94:
        return f"{rng.choice(_PAIRS)}({a}, {b})"
    inside = _term(rng, depth - 1, ("k", *names))
    return f"{rng.choice('∑∏')}_{{k={rng.choice('01')}}}^{rng.choice(('n', '5', '∞'))} ({inside})"


def _tex(rng: random.Random, depth: int, names: tuple[str, ...] = _NAMES) -> str:
    roll = rng.random()
    if depth <= 0 or roll < 0.2:
        return rng.choice(names) if rng.random() < 0.65 else rng.choice(_LATEX_NUMBERS)
    a, b = (_tex(rng, depth - 1, names) for _ in range(2))
    if roll < 0.4:
        return f"{a} {rng.choice('+-')} {b}"
    if roll < 0.7:
        forms = (rf"\frac{{{a}}}{{{b}}}", rf"\left({a}\right)^{{{b}}}", rf"\sqrt{{{a}}}", rf"|{a}|",
                 rf"{{{a}}}^2", rf"\lfloor {a}\rfloor", rf"e^{{{a}}}", rf"\binom{{{a}}}{{{b}}}",
                 rf"\max\{{{a}, {b}\}}", rf"({a})\cdot({b})", rf"\big({a}\big)!", rf"\|{a}\|")  # fmt: skip
        return rng.choice(forms)
    if roll < 0.9:
        return rf"{rng.choice(_COMMANDS)}({a})"
    inside = _tex(rng, depth - 1, ("k", *names))
    head, end = rng.choice((r"\sum", r"\prod")), rng.choice(("n", "4", r"\infty"))
    return rf"{head}_{{k=1}}^{{{end}}}\left({inside}\right)"


def _compared(rng: random.Random, depth: int) -> str:
    left, right = _term(rng, depth), _term(rng, depth - 1)
    return f"{left} {rng.choice(_RELATIONS)} {right}"


def _domains(rng: random.Random) -> tuple[str, ...]:
    n, x = rng.choice(_PHRASES), rng.choice(_REAL_PHRASES)
    return (n, x) if rng.random() < 0.8 else (f"{n}, {x}",)


# ---------------------------------------------------------------- the kinds


def _paper(rng: random.Random) -> Made:
    return Made(_compared(rng, 3), _domains(rng), _where(rng))


def _where(rng: random.Random) -> tuple[str, ...]:
    return (_compared(rng, 1),) if rng.random() < 0.15 else ()


def _latex(rng: random.Random) -> Made:
    text = f"{_tex(rng, 3)} {rng.choice(_LATEX_RELATIONS)} {_tex(rng, 2)}"
    if rng.random() < 0.3:
        text = rng.choice((f"${text}$", rf"\[{text}\]", rf"{text}.", rf"\displaystyle {text}"))
    return Made(text, _domains(rng))


def _laws(rng: random.Random) -> Made:
    law = rng.choice(_LAWS)
    inside = rng.choice(("g", "g^2", "relu(g)", "|g - x|", "exp(x*g)", "max(g, 0)^2", "sin(g)", "g^4",
                         "sigmoid(g)", "1/g", "log(1 + g^2)", "Piecewise((g, g > 0), (0, True))",
                         "floor(g)", "g^g", _term(rng, 2, ("g", "x"))))  # fmt: skip
    event = rng.choice(("g > x", "g ≥ 1", "|g| <= x", "g^2 > 1", "g = 1", "g > 0 and g < 1", "x > 0",
                        "sin(g) > 0", "g != 0", f"g > {_term(rng, 1)}", "g/x > 1"))  # fmt: skip
    heads = (f"E[{inside}]", f"P[{event}]", f"Var[{inside}]", f"Cov[g, {inside}]",
             f"E[{inside}] + P[{event}]", rf"\mathbb E[{inside}]", rf"\Pr({event})")  # fmt: skip
    other = rng.choice(("0", "1", "exp(-x^2/2)", "x", "n x", "1/√(2π)", _term(rng, 1)))
    domains = _domains(rng)
    text = f"{rng.choice(heads)} {rng.choice(_RELATIONS)} {other}"
    return Made(text, domains, laws=(law,) if rng.random() < 0.9 else (law, rng.choice(_LAWS)))


def _vectors(rng: random.Random) -> Made:
    a, b = rng.choice((("u", "v"), ("u", "u"), ("v", "u"), ("u", "w")))
    size = rng.choice((1, 2, 3, 4))
    spec = rng.choice(
        (f"R^{size}", f"[0, 1]^{size}", f"simplex({max(size, 2)})", f"(0, oo)^{size}")
    )
    left, right = (rng.choice(_OF_VECTORS).replace("{a}", a).replace("{b}", b) for _ in range(2))
    text = f"{left} {rng.choice(_RELATIONS)} {rng.choice((right, '1', f'2{right}', f'|{left}|'))}"
    return Made(text, (f"u, v in {spec}",))


def _matrices(rng: random.Random) -> Made:
    spec = rng.choice(
        ("PD(2)", "PSD(2)", "Sym(2)", "R^{2x2}", "PD(3)", "PD(1)", "Sym(9)", "PSD(0)")
    )
    left = rng.choice(_OF_MATRICES)
    right = rng.choice((*_OF_MATRICES, "0", "1", "norm(u)^2", "det(A) trace(A)"))
    return Made(f"{left} {rng.choice(_RELATIONS)} {right}", (f"A in {spec}", "u in R^2"))


def _implied(rng: random.Random) -> Made:
    first, second = _compared(rng, 1), _compared(rng, 2)
    joint = rng.choice((" implies ", " ⇒ ", " iff ", " ⇔ ", " and ", " or "))
    return Made(f"{first}{joint}{second}", _domains(rng))


def _growth(rng: random.Random) -> Made:
    f, g = _term(rng, 2, ("n",)), _term(rng, 1, ("n",))
    form = rng.choice(("{f} = O({g})", "{f} = o({g})", "{f} ~ {g}", "{f} = Theta({g})", "{f} = Ω({g})",
                       "asymptotic({f}, {g})", "big_o({f}, {g})"))  # fmt: skip
    return Made(form.format(f=f, g=g), (rng.choice(_PHRASES[:3]),))


def _pieces(rng: random.Random) -> Made:
    a, b = _term(rng, 1), _term(rng, 1)
    condition = f"{_term(rng, 1)} {rng.choice(_RELATIONS)} {_term(rng, 0)}"
    last = rng.choice(("True", "n > 2", condition))
    text = f"Piecewise(({a}, {condition}), ({b}, {last})) {rng.choice(_RELATIONS)} {_term(rng, 1)}"
    return Made(text, _domains(rng))


def _integrals(rng: random.Random) -> Made:
    body = _term(rng, 2, ("t", "x"))
    low, high = rng.choice(
        (("0", "1"), ("0", "∞"), ("-1", "1"), ("0", "x"), ("x", "n"), ("1", "0"))
    )
    form = rng.choice(
        (f"∫_{{{low}}}^{{{high}}} ({body}) dt", f"Integral({body}, (t, {low}, {high}))")
    )
    return Made(f"{form} {rng.choice(_RELATIONS)} {_term(rng, 1)}", _domains(rng))


def _congruence(rng: random.Random) -> Made:
    a, b = _term(rng, 2, ("n",)), _term(rng, 1, ("n",))
    form = rng.choice(("{a} ≡ {b} (mod 7)", "{a} == {b} mod 5", "3 | {a}", "{a} ≡ {b} (mod {b})"))
    return Made(form.format(a=a, b=b), (rng.choice(_PHRASES),))


def _guided(rng: random.Random) -> Made:
    let = rng.choice(
        ("u = sqrt(x)", "u = x^2", "u = exp(x)", "m = n - 1", "u = 1/x", "x = n", "u = 2")
    )
    step = rng.choice(("exp(x) >= 1 + x", "x >= 0", _compared(rng, 1)))
    given = ((let,), ()) if rng.random() < 0.5 else ((), (step,))
    return Made(_compared(rng, 2), _domains(rng), let=given[0], steps=given[1])


def _rubbish(rng: random.Random) -> Made:
    pieces = [rng.choice(_RUBBISH) for _ in range(rng.randint(1, 3))]
    text = _compared(rng, 2)
    for piece in pieces:
        place = rng.randint(0, len(text))
        text = text[:place] + piece + text[place:]
    domains = _domains(rng)
    if rng.random() < 0.3:
        domains = (domains[0] + rng.choice(_RUBBISH), *domains[1:])
    laws = (rng.choice(_RUBBISH),) if rng.random() < 0.15 else ()
    return Made(text, domains, laws=laws)


def _quantified(rng: random.Random, made: Made) -> Made:
    """The domain in front of the statement or behind it."""
    if not made.domains:
        return made
    head = rng.choice(("for all ", r"\forall ", "∀"))
    text = f"{head}{made.domains[0]}: {made.statement}"
    if rng.random() < 0.5:
        text = f"{made.statement} for {made.domains[0]}"
    return Made(text, made.domains[1:], made.where, made.laws, made.let, made.steps)
