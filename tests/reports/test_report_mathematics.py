"""LaTeX as MathML, and texts with mathematics between dollars: what is shown and what is refused."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.library.loading import load_all
from theorycheck.reports import mathematics
from theorycheck.reports.mathematics import MathematicsError
from theorycheck.sources.plain import pieces, plain

M = f"{{{mathematics.NAMESPACE}}}"


def tree(latex, block=False):
    return ET.fromstring(mathematics.mathml(latex, block=block))


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\gamma^*", "γ*"),
        (r"\operatorname{tr}(A)", "tr(A)"),
        (r"\operatorname*{arg\,max}_x f", "arg\u00a0maxxf"),
        (r"\arg\min_x f", "argminxf"),
        (r"\|x\|_2 \leq \Big\|y\Big\|", "‖x‖2≤‖y‖"),
        (r"\#\Big\{a:\sum_i\bigl\lfloor a_i\bigr\rfloor=0\Big\}", "#{a:∑i⌊ai⌋=0}"),
        (r"\mathbb{E}_{x\sim D}[f]", "𝔼x∼D[f]"),
        (r"\mathbf{x}^\top\bm{A}\boldsymbol{\theta}", "𝐱⊤𝑨𝜽"),
        (r"\mathbb{1}[x > 0]", "𝟙[x>0]"),
        (r"\mathrm{spread}\,x", "spreadx"),
        (r"\text{kernel\_size}", "kernel_size"),
    ],
)
def test_what_papers_use_is_read(latex, text):
    assert "".join(tree(latex).itertext()) == text


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"x \foo y", r"\foo is no command"),
        ("x^{", "missing super script"),
        ("}{", "no available tokens"),
        ("x_1_2", "double subscripts"),
        (r"\href{javascript:alert(1)}{x}", r"\href has no place"),
        (r"\def\x{\x\x}\x", r"\def has no place"),
        (r"\newcommand{\x}{\x\x}\x", r"\newcommand has no place"),
        (r"\class{badge}{x}", r"\class has no place"),
        ("x" * (mathematics.LONGEST + 1), "letters; at most"),
        ("{" * 5000 + "}" * 5000, "recursion"),
        ("", "no available tokens"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(latex, said):
    with pytest.raises(MathematicsError) as error:
        mathematics.mathml(latex)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "latex",
    [r"\text{<script>alert(1)</script>}", "<b>x</b>", r"\text{&lt;img onerror=x&gt;}", "a & b"],
)
def test_no_text_becomes_markup(latex):
    made = mathematics.mathml(latex)
    assert {e.tag for e in ET.fromstring(made).iter()} <= {f"{M}{t}" for t in mathematics._ELEMENTS}
    assert "<b>" not in made and "<script" not in made and "<img" not in made


@given(st.text("\\{}^_&$<>ab12 frac'\"#%~|()[]", max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        made = mathematics.mathml(text)
    except MathematicsError:
        return
    allowed = {f"{M}{t}" for t in mathematics._ELEMENTS}
    assert {e.tag for e in ET.fromstring(made).iter()} <= allowed


def test_functions_stand_apart_from_their_neighbours():
    made = mathematics.mathml(r"2 n \log n \log(n) + \log^2 n")
    assert made.count("<mspace") == 4  # around the first, before the second, behind the third
    assert "<mspace" not in mathematics.mathml(r"\log(n)")


def test_bars_and_slashes_stand_close():
    for e in tree(r"|x| \le \|y\| / 2").iter(f"{M}mo"):
        assert (e.get("lspace") == "0") == (e.text in "|‖/")


def test_limits_stand_below_on_a_line_of_their_own_only():
    assert tree(r"\max_{x} f", block=True).find(f".//{M}munder") is not None
    assert tree(r"\max_{x} f").find(f".//{M}munder") is None
    assert tree(r"\sum_{i=1}^n x", block=True).find(f".//{M}munderover") is not None


def test_a_text_with_dollars_is_set_and_escaped():
    made = mathematics.html("for <all> $k \\ge 2$ & $\\foo$")
    assert made.startswith("for &lt;all&gt; <math")
    assert "<mo>≥</mo>" in made
    assert made.endswith("&amp; <code>\\foo</code>")


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("at most ($n$).", "at most <t>(M).</t>"),
        ("a $k$-th one, <$n$>", "a <t>M-th</t> one, &lt;M&gt;"),
        ("$k$-dimensional", "M-dimensional"),
        ('$a$"$b$', "<t>M&quot;</t>M"),
        ("$a$, ($b$; $c$)", "<t>M,</t> <t>(M;</t> <t>M)</t>"),
        ("of $O$'s (in $x", "of <t>M&#x27;s</t> (in $x"),
        (
            "($x_1 + x_2 + x_3 + x_4 + x_5 = y_1 + y_2 + y_3 + y_4 + y_5 + y_6$)",
            "<t>(M</t><t>M)</t>",
        ),
    ],
)
def test_brackets_and_stops_stay_on_the_line_of_their_formula(text, made):
    shown = re.sub("<math.*?</math>", "M", mathematics.html(text))
    assert (
        re.sub(r"M+", "M", shown.replace('<span class="tie">', "<t>").replace("</span>", "</t>"))
        == made
    )


@pytest.mark.parametrize(
    "text", ["it costs $5 or $6", "$ a $", r"\$x\$", "a $ b", "", "$HOME and $PATH "]
)
def test_dollars_of_other_kinds_stay(text):
    assert "<math" not in mathematics.html(text)


def test_a_terminal_gets_characters():
    assert plain(r"the margin $\gamma^*\le 2^{k}$") == "the margin γ^* ≤ 2^k"
    assert plain(r"at $\lambda x$, $\Delta_2$") == "at λx, Δ_2"
    assert plain(r"$|\hat\alpha_T-\alpha|$, $\Pr[\text{kept}]$") == "|α_T-α|, Pr[kept]"
    assert plain(r"$\frac{a}{b}$, $\|x\|$") == "a/b, ‖x‖"
    assert plain(r"$\min_u\mathrm{loss}(f_u)$, $w_{\mathrm{core}}$") == "min_u loss(f_u), w_core"
    assert plain(r"$\textstyle\sum_i x_i$, $\varnothing$, $\text{a\_b}$") == "∑_i x_i, ∅, a_b"


def test_the_font_comes_with_the_page_and_its_licence():
    rule = mathematics.font_face()
    assert "data:font/woff2;base64," in rule
    assert len(rule) < 150_000
    licence = mathematics.FONT.with_name("OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in licence and "STIX Fonts Project Authors" in licence


def test_the_font_has_a_table_of_mathematics_and_the_letters_of_formulas():
    ttlib = pytest.importorskip("fontTools.ttLib")
    pytest.importorskip("brotli")
    font = ttlib.TTFont(mathematics.FONT)
    assert "MATH" in font
    # A browser keeps room for the widest of the root's sizes, whichever it draws.
    variants = font["MATH"].table.MathVariants
    roots = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index("radical")]
    sizes = [r.VariantGlyph for r in roots.MathGlyphVariantRecord]
    sizes += [part.glyph for part in roots.GlyphAssembly.PartRecords]
    assert len(sizes) == 7 and len({font["hmtx"][glyph][0] for glyph in sizes}) == 1
    known = font.getBestCmap()
    for letters in ("xyzΓαλθ∑∏∫√≤≥≠∞∈∀∃→⇒‖⌊⌋⟨⟩𝔼ℝ𝒩𝟙𝐱𝑨", "0123456789+−=()[]{}|"):
        assert [c for c in letters if ord(c) not in known] == []


@pytest.mark.parametrize(
    ("latex", "ends"),
    [
        (r"a<b", []),
        (r"(a+b+c+d+e+f+g+h+i+j+k+l+m)", []),  # never inside of brackets
        (r"|a+b+c+d+e+f+g+h+i+j+k+l+m|", []),
        (r"\alpha(\beta+\gamma+\delta)\le\frac{a+b+c+d}{e+f}<\zeta(x+y+z)", ["\u2264", "<"]),
        (r"f(abcdefghijkl)+g(abcdefghijkl)+h(abcdefghijkl)", ["+", "+"]),
        (r"\|abcdefghij-b\|^2-\|abcdefghij-c\|^2-d", ["\u2212", "\u2212"]),
    ],
)
def test_a_long_formula_in_a_text_breaks_behind_its_signs(latex, ends):
    set_ = mathematics.html(f"so ${latex}$.")
    pieces_ = [ET.fromstring(found) for found in re.findall(r"<math.*?</math>", set_)]
    assert len(pieces_) == len(ends) + 1
    shown = "".join("".join(p.itertext()) for p in pieces_)
    assert shown == "".join(ET.fromstring(mathematics.mathml(latex)).itertext())
    for piece, sign in zip(pieces_, ends, strict=False):
        last = list(piece.iter())[-1]
        assert (last.text, last.get("form")) == (sign, "infix")  # as far from its term as inside


def test_a_root_is_as_tall_as_its_line():
    (root,) = tree(r"\sqrt{r}").iter(f"{M}msqrt")
    strut = next(root.iter(f"{M}mspace"))
    assert strut.get("width") == "0" and strut.get("height")


def test_all_mathematics_of_the_bundled_library_is_read():
    """Also what clauses say in LaTeX: a formula that stays source is a slip of its author."""
    unread = []
    for item in load_all():
        c = item.claim
        texts = [c.title, c.says, c.setting, c.notes, *(x.says for x in c.clauses)]
        formulas = [latex for text in texts for latex, is_math in pieces(text) if is_math]
        formulas += (
            [x.tex for x in c.clauses] + [lg.lhs for lg in c.legs] + [lg.tex for lg in c.legs]
        )
        for latex in filter(None, [*formulas, c.lhs, c.tex]):
            try:
                mathematics.mathml(latex)
            except MathematicsError as error:
                unread.append(f"{item.id}: {error}")
    assert unread == []


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"2^{2k-2}(p-1)", "2^(2k-2)(p-1)"),  # no 2^2k-2
        (r"(1-1/\kappa)^{2T}", "(1-1/κ)^(2T)"),
        (r"(-1)^{a_i}", "(-1)^(a_i)"),
        (r"\frac{a+b}{2c}x", "((a+b)/(2c))x"),
        (r"\frac3{16p}\|\theta\|^4", "(3/(16p))‖θ‖^4"),
        (r"\frac12\operatorname{tr}\Lambda", "(1/2) tr Λ"),
        (r"\frac{R-r}M(x)", "((R-r)/M)(x)"),
        (r"\sqrt{N/\binom{D}{k}}", "√(N/C(D,k))"),
        (r"\gamma^*\min_dB\cos\delta", "γ^*min_dB cos δ"),
        (r"h\le\mathbb{E}\,g'", "h ≤ E g'"),  # a thin space keeps names apart
        (r"\sqrt{r}\,e^{-t}", "√r e^(-t)"),
        (r"C\,(d_0/m)\,P", "C(d_0/m) P"),
        (r"z^\top H z", "z^T H z"),  # no z^TH
        (r"\lambda_{\max}(X^\top X)", "λ_max(X^T X)"),
        (r"\frac12\ln\frac{3p-1}{1-p}", "(1/2) ln((3p-1)/(1-p))"),  # no ln(3p-1)/(1-p)
        (r"0\preceq H\preceq I", "0 ≼ H ≼ I"),
        (r"P\in\{1,\dots,k\}", "P ∈ {1,...,k}"),
    ],
)
def test_characters_keep_what_brackets_and_spaces_say(latex, text):
    assert plain(f"${latex}$") == text


def test_the_bundled_claims_read_well_in_a_terminal():
    for item in load_all():
        shown = plain(f"{item.claim.title} {item.claim.says}")
        assert "$" not in shown, item.id
        assert "\\" not in shown, item.id
        assert not any("\ue000" <= c <= "\uf8ff" for c in shown), item.id


@pytest.mark.parametrize(
    ("latex", "prefix"), [(r"e(-T)", True), (r"x=-1", True), (r"a-b", False), (r"|x|-1", False)]
)
def test_a_sign_before_a_term_stands_close_and_one_between_two_does_not(latex, prefix):
    (minus,) = [e for e in tree(latex).iter(f"{M}mo") if e.text == "\u2212"]
    assert (minus.get("form") == "prefix") is prefix


def test_a_power_of_several_elements_is_of_all_of_them():
    (power,) = tree(r"\binom{D}{k}^3").iter(f"{M}msup")
    base, exponent = power
    assert base.tag == f"{M}mrow" and exponent.text == "3"
    assert "".join(base.itertext()) == "(Dk)"


def test_every_formula_of_the_bundled_claims_has_the_arguments_that_mathml_asks_for():
    arguments = {
        "msub": 2,
        "msup": 2,
        "msubsup": 3,
        "mfrac": 2,
        "munder": 2,
        "mover": 2,
        "munderover": 3,
    }
    for item in load_all():
        for part, is_math in pieces(item.claim.says):
            for e in tree(part).iter() if is_math else ():
                wanted = arguments.get(e.tag.removeprefix(M))
                assert wanted is None or len(e) == wanted, (item.id, part)
