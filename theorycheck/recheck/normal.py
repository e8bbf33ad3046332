"""Terms as quotients of polynomials over the rationals, in indeterminates of their own normal form.

What is no name, number or arithmetic becomes an indeterminate: `exp`, powers with exponents that are no integers,
logarithms, `erfc`, and so on, after rewriting that is true wherever both sides have values. Roots of a base are taken
apart into powers of its factors only where these are proved positive, which `positive` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import lcm
from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

from theorycheck.recheck.effort import spend
from theorycheck.recheck.tree import Tree, number

SIZE = 60
"""Indeterminates that a statement may have."""

CTX = fmpq_mpoly_ctx.get([f"x{i}" for i in range(SIZE)], "degrevlex")
GENS = CTX.gens()
ZERO, ONE = CTX.constant(0), CTX.constant(1)
MAX_TERMS, MAX_DEGREE, FINEST = 1500, 40, 5040

Poly = Any

Shown = Callable[[Poly, str], bool]
"""Whether it is proved that a polynomial is ``!=``, ``>`` or ``>=`` 0."""


class NotNormal(ValueError):
    """No normal form: too large, or a function that has none."""


class Finer(NotNormal):
    """Exponents want parts of this size."""

    def __init__(self, size: int) -> None:
        super().__init__("finer parts of exponents")
        self.size = size


@dataclass(frozen=True)
class Atom:
    """What an indeterminate stands for: ``kind`` is name, root, power, log, or a function; ``key`` tells it apart.

    ``base`` is what a root, power or logarithm is of (None for Euler's number), ``exponent`` that of a
    power, ``node`` the term of a function.
    """

    kind: str
    key: str
    base: PolyQuotient | None = None
    exponent: PolyQuotient | None = None
    node: Tree | None = None
    arguments: tuple[PolyQuotient, ...] = ()


@dataclass(frozen=True)
class PolyQuotient:
    """num/den; ``den`` is not the zero polynomial."""

    num: Poly
    den: Poly

    def __add__(self, other: PolyQuotient) -> PolyQuotient:
        if self.den == other.den:
            return PolyQuotient(self.num + other.num, self.den)
        return PolyQuotient(self.num * other.den + other.num * self.den, self.den * other.den)

    def __neg__(self) -> PolyQuotient:
        return PolyQuotient(-self.num, self.den)

    def __sub__(self, other: PolyQuotient) -> PolyQuotient:
        return self + (-other)

    def __mul__(self, other: PolyQuotient) -> PolyQuotient:
        return PolyQuotient(self.num * other.num, self.den * other.den)

    def inverse(self) -> PolyQuotient:
        """1/self. Raises NotNormal for 0."""
        if self.num == 0:
            raise NotNormal("division by zero")
        return PolyQuotient(self.den, self.num)

    def power(self, n: int) -> PolyQuotient:
        """An integer power."""
        base = self if n >= 0 else self.inverse()
        return PolyQuotient(base.num ** abs(n), base.den ** abs(n))


def constant(value: fmpq | int) -> PolyQuotient:
    """A number."""
    return PolyQuotient(CTX.constant(fmpq(value)), ONE)


class Normal:
    """Normal forms of terms with common indeterminates, where they are proved to have values.

    ``positive`` proves that a polynomial is > 0, ``parts`` is into how many the exponents of roots are cut."""

    def __init__(self, positive: Callable[[Poly], bool], shown: Shown, parts: int = 1) -> None:
        self.shown, self.parts = shown, parts
        self.atoms: list[Atom] = []
        self.places: dict[tuple[str, str], int] = {}
        self.positive = positive
        self.seen: dict[Tree, PolyQuotient] = {}

    def require(self, p: Poly, sign: str) -> None:
        """What has to hold for a term to have a value. Raises NotNormal where it is not proved."""
        if not self.shown(p, sign):
            raise NotNormal("a value that is not proved to be there")

    def gen(self, atom: Atom) -> Poly:
        """The indeterminate of an atom."""
        place = self.places.setdefault((atom.kind, atom.key), len(self.atoms))
        if place == len(self.atoms):
            if place >= SIZE:
                raise NotNormal("too many indeterminates")
            self.atoms.append(atom)
        return GENS[place]

    def atom(self, kind: str, key: str, **parts: Any) -> PolyQuotient:
        """An indeterminate as a quotient."""
        return PolyQuotient(self.gen(Atom(kind, key, **parts)), ONE)

    def quotient(self, e: Tree) -> PolyQuotient:
        """The normal form of a term. Raises NotNormal."""
        if e not in self.seen:
            self.seen[e] = self.reduced(self._quotient(e))
        return self.seen[e]

    def _quotient(self, e: Tree) -> PolyQuotient:
        match e.op:
            case "num":
                return constant(e.value if e.value is not None else 0)
            case "name":
                return self.atom("name", e.text)
            case "const" if e.text == "E":
                return self.exponential(constant(1))
            case "const" if e.text != "oo":
                return self.atom("const", e.text, node=e)
            case "neg":
                return -self.quotient(e.args[0])
            case "add":
                return self.quotient(e.args[0]) + self.quotient(e.args[1])
            case "mul":
                return self.quotient(e.args[0]) * self.quotient(e.args[1])
            case "div":
                below = self.quotient(e.args[1])
                self.require(below.num, "!=")
                return self.quotient(e.args[0]) * below.inverse()
            case "pow":
                return self.power(e)
            case "call":
                return self.call(e)
            case "sum":
                return self.total(e)
            case "member":
                index = self.quotient(e.args[0])
                return self.atom("member", f"{e.text}[{self.key(index)}]", node=e)
        raise NotNormal(f"{e.op} {e.text}")

    def key(self, q: PolyQuotient) -> str:
        """Text by which equal normal forms are known; different text may still be equal."""
        q = self.reduced(q)
        num, den = q.num, q.den
        for place, atom in enumerate(self.atoms):
            if atom.kind == "root" and atom.base is not None and self.is_name(atom.base):
                powers = [m[place] for p in (num, den) for m in p.to_dict()]
                if any(powers) and not any(k % self.parts for k in powers):
                    num, den = (self._renamed(p, place, atom.base) for p in (num, den))
        return f"{num}/{den}"

    def _renamed(self, p: Poly, place: int, base: PolyQuotient) -> Poly:
        """With a name in the place of the full power of its root."""
        (name,) = (i for i, d in enumerate(base.num.degrees()) if d)
        result = {}
        for powers, c in p.to_dict().items():
            rest = list(powers)
            rest[name] += rest[place] // self.parts
            rest[place] = 0
            result[tuple(rest)] = c
        return CTX.from_dict(result)

    def reduced(self, q: PolyQuotient) -> PolyQuotient:
        """Without common factors, with roots brought back, and the denominator's first coefficient 1."""
        spend(60 + 10 * (len(q.num) + len(q.den)))
        num, den = self.folded(q.num), self.folded(q.den)
        if num == 0:
            return PolyQuotient(ZERO, ONE)
        common = num.gcd(den)
        if common != 1:
            num, den = num / common, den / common
        lead = den.leading_coefficient()
        num, den = num / lead, den / lead
        if len(num) > MAX_TERMS or len(den) > MAX_TERMS:
            raise NotNormal("too many terms")
        return PolyQuotient(num, den)

    def folded(self, p: Poly) -> Poly:
        """With the base in the place of the full power of a root, and 1 - sine^2 in that of the square of a cosine."""
        spend(4 * len(self.atoms) + len(p))
        for place, atom in enumerate(self.atoms):
            if atom.kind == "root" and atom.base is not None and not self.is_name(atom.base):
                p = self._fold(p, place, self.parts, atom.base.num)
            elif atom.kind == "root" and atom.base is not None:
                p = self._unname(p, place, atom.base)
            elif atom.kind == "cos":
                sine = self.gen(Atom("sin", atom.key, arguments=atom.arguments))
                p = self._fold(p, place, 2, 1 - sine * sine)
        return p

    def is_name(self, q: PolyQuotient) -> bool:
        """Whether a quotient is a single indeterminate."""
        return (
            q.den == 1
            and len(q.num) == 1
            and q.num.total_degree() == 1
            and q.num.leading_coefficient() == 1
        )

    def _unname(self, p: Poly, place: int, base: PolyQuotient) -> Poly:
        """With the power of so many parts of its root in the place of a name."""
        (name,) = (i for i, d in enumerate(base.num.degrees()) if d)
        if not p.degrees()[name]:
            return p
        return p.compose(
            *(GENS[place] ** self.parts if i == name else g for i, g in enumerate(GENS))
        )

    def _fold(self, p: Poly, place: int, size: int, value: Poly) -> Poly:
        while p.degrees()[place] >= size:
            result = ZERO
            for powers, c in p.to_dict().items():
                k, left = divmod(powers[place], size)
                rest = list(powers)
                rest[place] = left
                result += CTX.from_dict({tuple(rest): c}) * value**k
            p = result
        return p

    def power(self, e: Tree) -> PolyQuotient:
        base, exponent = e.args
        if base.op == "const" and base.text == "E":
            return self.exponential(self.quotient(exponent))
        n = self.quotient(exponent)
        if n.num.is_constant() and n.den.is_constant():
            c = rational(n)
            if c.q == 1:
                if abs(c.p) > MAX_DEGREE:
                    raise NotNormal("a large power")
                q = self.quotient(base)
                if c < 0:
                    self.require(q.num, "!=")
                return q.power(int(c.p))
            return self.raised(self.quotient(base), n)
        return self.raised(self.quotient(base), n)

    def exponential(self, exponent: PolyQuotient) -> PolyQuotient:
        """exp of a quotient: of each term of the numerator, logarithms taken back."""
        exponent = self.reduced(exponent)
        result = constant(1)
        for powers, c in exponent.num.to_dict().items():
            term = self.reduced(PolyQuotient(CTX.from_dict({powers: fmpq(1)}), exponent.den))
            logs = [i for i, d in enumerate(powers) if d and self.atoms[i].kind == "log"]
            if len(logs) == 1 and powers[logs[0]] == 1 and not exponent.den.degrees()[logs[0]]:
                rest = list(powers)
                rest[logs[0]] = 0
                by = PolyQuotient(CTX.from_dict({tuple(rest): fmpq(1)}), exponent.den)
                base = self.atoms[logs[0]].base
                result = result * self.part(base, self.reduced(by), c)
            else:
                result = result * self.part(None, term, c)
        return result

    def part(self, base: PolyQuotient | None, monomial: PolyQuotient, c: fmpq) -> PolyQuotient:
        """base**(c*monomial), base a factor that is > 0, None for Euler's number."""
        whole, left = divmod(int(c.p), int(c.q)) if self._one(monomial) else (0, 0)
        if self._one(monomial) and base is not None:
            count = fmpq(left, int(c.q)) * self.parts
            if count.q != 1:
                raise self.finer(count)
            result = base.power(whole)
            if count:
                root = self.gen(Atom("root", self.key(base), base=base))
                result = result * PolyQuotient(root ** int(count.p), ONE)
            return result
        count = c * self.parts
        if count.q != 1:
            raise self.finer(count)
        text = f"{'E' if base is None else self.key(base)}^{self.key(monomial)}"
        gen = self.gen(Atom("power", text, base=base, exponent=monomial))
        found = gen ** abs(int(count.p))
        return PolyQuotient(found, ONE) if c > 0 else PolyQuotient(ONE, found)

    def finer(self, count: fmpq) -> NotNormal:
        """What to raise where exponents come out in smaller parts."""
        size = lcm(self.parts, self.parts * int(count.q))
        return Finer(size) if size <= FINEST else NotNormal("a root that is too fine")

    def _one(self, monomial: PolyQuotient) -> bool:
        return bool(monomial.num == 1 and monomial.den == 1)

    def raised(self, base: PolyQuotient, exponent: PolyQuotient) -> PolyQuotient:
        """A power with an exponent that is no integer, of a base that is >= 0, factor by factor."""
        base, exponent = self.reduced(base), self.reduced(exponent)
        if base.num == 0:
            self.require(exponent.num * exponent.den, ">")
            return base
        self.require(base.num * base.den, ">" if not self._fixed(exponent) else ">=")
        result = constant(1)
        for factor, times in self.factors(base):
            result = result * self._one_factor(factor, times, exponent)
        return result

    def _fixed(self, exponent: PolyQuotient) -> bool:
        return bool(
            exponent.num.is_constant() and exponent.den.is_constant() and rational(exponent) > 0
        )

    def _one_factor(self, factor: PolyQuotient, times: int, exponent: PolyQuotient) -> PolyQuotient:
        atom = self.alone(factor)
        if atom is not None and atom.kind == "power" and atom.exponent is not None:
            total = exponent * atom.exponent * constant(fmpq(times, self.parts))
            if atom.base is None:
                return self.exponential(total)
            return self._split(atom.base, total)
        if atom is not None and atom.kind == "root" and atom.base is not None:
            return self._split(atom.base, exponent * constant(fmpq(times, self.parts)))
        return self._split(factor, exponent * constant(times))

    def _split(self, base: PolyQuotient, exponent: PolyQuotient) -> PolyQuotient:
        exponent = self.reduced(exponent)
        result = constant(1)
        for powers, c in exponent.num.to_dict().items():
            one = PolyQuotient(CTX.from_dict({powers: fmpq(1)}), exponent.den)
            result = result * self.part(base, self.reduced(one), c)
        return result

    def alone(self, q: PolyQuotient) -> Atom | None:
        """The indeterminate that a quotient is, None where it is more than one."""
        if not self.is_name(q):
            return None
        (place,) = (i for i, d in enumerate(q.num.degrees()) if d)
        return self.atoms[place]

    def factors(self, q: PolyQuotient) -> list[tuple[PolyQuotient, int]]:
        """Positive factors with multiplicities whose product a quotient is, known to be >= 0: all but one of
        them are proved positive."""
        found: list[tuple[PolyQuotient, int]] = []
        loose: list[tuple[Poly, int]] = []
        lead = fmpq(1)
        for p, way in ((q.num, 1), (q.den, -1)):
            c, parts = p.factor()
            lead = lead * c if way > 0 else lead / c
            for factor, times in parts:
                scale = factor.leading_coefficient()
                factor, lead = factor / scale, lead * scale ** (way * int(times))
                for sign in (1, -1):
                    if self.positive(sign * factor):
                        found.append((PolyQuotient(sign * factor, ONE), way * int(times)))
                        lead *= fmpq(sign) ** int(times)
                        break
                else:
                    loose.append((factor, way * int(times)))
        if loose:
            rest = PolyQuotient(ONE, ONE)
            for factor, times in loose:
                rest = rest * PolyQuotient(factor, ONE).power(times)
            if lead < 0:
                rest, lead = -rest, -lead
            if rest.den != 1:
                rest, below = PolyQuotient(rest.num * rest.den, ONE), rest.den
                if not (self.positive(below) or self.positive(-below)):
                    raise NotNormal("a root of a quotient of unknown sign")
                down = below if self.positive(below) else -below
                found.append((PolyQuotient(down, ONE), -2))
            found.append((rest, 1))
        if lead <= 0:
            raise NotNormal("a root of what is negative")
        return [*found, *primes(lead)]

    def logarithm(self, q: PolyQuotient) -> PolyQuotient:
        """log of a quotient that is > 0, factor by factor."""
        q = self.reduced(q)
        self.require(q.num * q.den, ">")
        result = constant(0)
        for factor, times in self.factors(q):
            atom = self.alone(factor)
            if atom is not None and atom.kind in ("power", "root"):
                inner = atom.exponent or constant(1)
                base = atom.base
                of_base = constant(1) if base is None else self._log_atom(base)
                result = result + constant(fmpq(times, self.parts)) * inner * of_base
            else:
                result = result + constant(times) * self._log_atom(factor)
        return result

    def _log_atom(self, base: PolyQuotient) -> PolyQuotient:
        return self.atom("log", self.key(base), base=base)

    def call(self, e: Tree) -> PolyQuotient:
        x = e.args[0] if e.args else number(0)
        match e.text, len(e.args):
            case "exp", 1:
                return self.exponential(self.quotient(x))
            case (("log" | "ln"), 1):
                return self.logarithm(self.quotient(x))
            case "log", 2:
                below = self.logarithm(self.quotient(e.args[1]))
                self.require(below.num, "!=")
                return self.logarithm(self.quotient(x)) * below.inverse()
            case "sqrt", 1:
                return self.raised(self.quotient(x), constant(fmpq(1, 2)))
            case (("sinh" | "cosh" | "tanh" | "sigmoid" | "softplus"), 1):
                return self.hyperbolic(e.text, self.quotient(x))
            case (("erf" | "erfc" | "Phi" | "Q"), 1):
                return self.normal_law(e.text, self.quotient(x))
            case (("sin" | "cos"), 1):
                return self.wave(self.quotient(x))[0 if e.text == "cos" else 1]
        given = tuple(self.quotient(a) for a in e.args)
        key = f"{e.text}({','.join(self.key(q) for q in given)})"
        return self.atom(e.text, key, node=e, arguments=given)

    def hyperbolic(self, name: str, x: PolyQuotient) -> PolyQuotient:
        up = self.exponential(x)
        down = up.inverse()
        half = constant(fmpq(1, 2))
        match name:
            case "sinh":
                return (up - down) * half
            case "cosh":
                return (up + down) * half
            case "tanh":
                return (up - down) * (up + down).inverse()
            case "sigmoid":
                return (constant(1) + down).inverse()
        return self.logarithm(self.reduced(constant(1) + up))

    def normal_law(self, name: str, x: PolyQuotient) -> PolyQuotient:
        half = constant(fmpq(1, 2))
        if name in ("Phi", "Q"):
            x = self.reduced(x * self.raised(constant(2), constant(fmpq(-1, 2))))
            return half * self.error_function(x if name == "Q" else -x)
        found = self.error_function(x)
        return found if name == "erfc" else constant(1) - found

    def error_function(self, x: PolyQuotient) -> PolyQuotient:
        """erfc; of -x by that of x, so that the first coefficient is positive."""
        x = self.reduced(x)
        if x.num == 0:
            return constant(1)
        if x.num.leading_coefficient() < 0:
            return constant(2) - self.error_function(-x)
        return self.atom("erfc", self.key(x), arguments=(x,))

    def wave(self, x: PolyQuotient) -> tuple[PolyQuotient, PolyQuotient]:
        """Cosine and sine, by the addition formulas: of terms, and of multiples of pi/2."""
        x = self.reduced(x)
        result = (constant(1), constant(0))
        for powers, c in x.num.to_dict().items():
            one = self.reduced(PolyQuotient(CTX.from_dict({powers: fmpq(1)}), x.den))
            atom = self.alone(one)
            if atom is not None and atom.kind == "const" and atom.key == "pi" and (2 * c).q == 1:
                turn = [(1, 0), (0, 1), (-1, 0), (0, -1)][int((2 * c).p) % 4]
                part = (constant(turn[0]), constant(turn[1]))
            else:
                part = self._multiple(one, c)
            cos, sin = result
            result = (cos * part[0] - sin * part[1], sin * part[0] + cos * part[1])
        return result

    def _multiple(self, one: PolyQuotient, c: fmpq) -> tuple[PolyQuotient, PolyQuotient]:
        if abs(c.p) > 8:
            raise NotNormal("a large multiple of an angle")
        one = self.reduced(one * constant(fmpq(1, int(c.q))))
        cos = self.atom("cos", self.key(one), arguments=(one,))
        sin = self.atom("sin", self.key(one), arguments=(one,))
        if c < 0:
            sin = -sin
        result = (constant(1), constant(0))
        for _ in range(abs(int(c.p))):
            result = (
                result[0] * cos - result[1] * sin,
                result[1] * cos + result[0] * sin,
            )
        return result

    def total(self, e: Tree) -> PolyQuotient:
        """A sum, by linearity: what does not depend on the index comes out of each of its terms."""
        low, high = (self.quotient(x) for x in e.args[1:])
        index = f"{e.text}#"
        term = self.quotient(e.args[0].put({e.text: Tree("name", text=index)}))
        moving = [i for i, a in enumerate(self.atoms) if f"{index}" in self.all_names(a)]
        if any(term.den.degrees()[i] for i in moving):
            raise NotNormal("a sum of quotients")
        result = constant(0)
        for powers, c in term.num.to_dict().items():
            inner = tuple(d if i in moving else 0 for i, d in enumerate(powers))
            outer = tuple(0 if i in moving else d for i, d in enumerate(powers))
            shape = CTX.from_dict({inner: fmpq(1)})
            key = f"Sum({shape},{self.key(low)},{self.key(high)})".replace(index, "#")
            gen = self.gen(Atom("sum", key))
            result = result + PolyQuotient(gen * CTX.from_dict({outer: c}), term.den)
        return result

    def all_names(self, atom: Atom) -> frozenset[str]:
        """The names that an indeterminate depends on."""
        if atom.kind == "name":
            return frozenset({atom.key})
        if atom.node is not None:
            return atom.node.names()
        below = [q for q in (atom.base, atom.exponent, *atom.arguments) if q is not None]
        found: frozenset[str] = frozenset()
        for q in below:
            for p in (q.num, q.den):
                for i, d in enumerate(p.degrees()):
                    if d and i < len(self.atoms):
                        found |= self.all_names(self.atoms[i])
        return found


def rational(q: PolyQuotient) -> fmpq:
    """A constant quotient as a number."""
    num = q.num.leading_coefficient() if q.num != 0 else fmpq(0)
    return num / q.den.leading_coefficient()


def primes(value: fmpq) -> list[tuple[PolyQuotient, int]]:
    """The prime powers whose product a positive number is."""
    found = []
    for n, way in ((value.p, 1), (value.q, -1)):
        if n.bit_length() > 200:
            raise NotNormal("a root of a long number")
        found += [(constant(int(p)), way * int(k)) for p, k in n.factor()]
    return found
