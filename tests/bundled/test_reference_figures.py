"""Figures worked out elsewhere: the closed forms of three sources agree with them to all digits given.

Each was obtained without this library (exact arithmetic, linear programs, trainings); rows that a claim's
grid does not contain are extrapolations of its form.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp
from scipy.optimize import brentq

from theorycheck.formulas.closed_form import Form
from theorycheck.library.loading import load_all

CLAIMS = {
    item.claim.id: item.claim
    for item in load_all(sources=["fourier_circuits", "in_context_learning", "looped_transformers"])
}
MODULI = (3, 5, 7, 11, 13, 23, 31, 47, 97)
MARGINS = {
    1: "2.500000000e-01 1.250000000e-01 8.333333333e-02 5.000000000e-02 4.166666667e-02 2.272727273e-02 "
    "1.666666667e-02 1.086956522e-02 5.208333333e-03",
    2: "7.856742013e-02 3.042903097e-02 1.714481666e-02 8.206099399e-03 6.290427967e-03 2.579565245e-03 "
    "1.629412389e-03 8.630309191e-04 2.878564834e-04",
    3: "3.125000000e-02 9.375000000e-03 4.464285714e-03 1.704545455e-03 1.201923077e-03 3.705533597e-04 "
    "2.016129032e-04 8.672525439e-05 2.013530928e-05",
    4: "1.460593487e-02 3.394112550e-03 1.365975554e-03 4.160564026e-04 2.698640059e-04 6.254992633e-05 "
    "2.931415919e-05 1.024086447e-05 1.655054895e-06",
    5: "7.716049383e-03 1.388888889e-03 4.724111867e-04 1.147842057e-04 6.848564541e-05 1.193408566e-05 "
    "4.817512622e-06 1.366828280e-06 1.537633393e-07",
}


def value(id, where, leg=None):
    """The closed form of a claim at a point, as an exact fraction of its ball's middle."""
    claim = CLAIMS[id]
    form = claim.form_of(claim.legs[0] if leg is None else claim.leg(leg))
    (found,) = Form(form).at(where)
    number = found.exact if found.exact is not None else found.ball.mid().fmpq()
    return Fraction(int(number.p), int(number.q))


def agrees(found, printed):
    """Whether the printed figure is the number rounded to its digits; a fraction is exact."""
    if "/" in printed:
        return found == Fraction(printed)
    figure = Decimal(printed)
    half = Fraction(1, 2) * Fraction(10) ** figure.as_tuple().exponent
    return abs(found - Fraction(figure)) <= half


def check(id, rows, leg=None):
    for where, printed in rows:
        found = value(id, where, leg)
        assert agrees(found, printed), (id, where, float(found), printed)


def test_a_figure_off_in_its_last_digit_is_told_apart():
    assert agrees(Fraction(1, 3), "0.3333")
    assert not agrees(Fraction(1, 3), "0.3334")
    assert not agrees(Fraction(1, 3), "333/1000")


@pytest.mark.parametrize("k", MARGINS)
def test_maximum_margins(k):
    rows = zip(MODULI, MARGINS[k].split(), strict=True)
    check("fourier-max-margin", [({"k": k, "p": p}, printed) for p, printed in rows])


def test_margins_at_any_modulus_against_the_printed_formula():
    ratios = {
        (2, 2): "1.4142135624", (2, 4): "1.1081941876", (2, 6): "1.0622236190", (2, 8): "1.0436690854",
        (2, 10): "1.0336384090", (3, 2): "2", (3, 4): "1.2", (3, 6): "1.1111111111",
        (3, 8): "1.0769230769", (4, 2): "2.8284271247", (4, 4): "1.2746683428", (5, 2): "4",
        (5, 4): "1.3333333333", (2, 9): "1", (3, 21): "1",
    }  # fmt: skip
    for (k, p), printed in ratios.items():
        at = {"k": k, "p": p}
        ratio = value("fourier-any-modulus", at) / value("fourier-max-margin", at)
        assert agrees(ratio, printed), (k, p)


def test_margin_at_modulus_two():
    for k, ratio in ((2, "1.414214"), (3, "2"), (4, "2.828427"), (5, "4"), (6, "5.656854")):
        printed = value("fourier-max-margin", {"k": k, "p": 2})
        found = value("fourier-parity-margin", {"k": k}) / printed
        assert agrees(found, ratio), k


def test_widths():
    """Explicit designs beside the source's number: total widths at (k, p)."""
    ours = {(2, 3): 6, (2, 9): 24, (3, 5): 32, (3, 97): 768, (4, 7): 120, (4, 47): 920}
    theirs = {(2, 3): 8, (3, 5): 64, (3, 97): 1536, (4, 47): 2944, (5, 23): 5632}
    for (k, p), width in ours.items():
        assert value("fourier-neuron-count-corrected", {"k": k, "p": p}) == width
    for (k, p), width in theirs.items():
        assert value("fourier-neuron-count", {"k": k, "p": p}) == width
    assert [value("fourier-min-neurons", {"k": k}) for k in (1, 2, 3, 4)] == [2, 6, 16, 40]


def test_one_frequency_forbidden():
    """Ratios of linear programs to the maximum margin."""
    moduli, ratios = (5, 7, 11, 13, 23, 47), "0.552786 0.789071 0.893759 0.913982 0.954923 0.978536"
    printed = dict(zip(moduli, ratios.split(), strict=True))
    for p, ratio in printed.items():
        at = {"k": 2, "p": p, "zeta": 1}
        found = value("fourier-forbidden-frequency", at) / value("fourier-max-margin", at)
        assert agrees(found, ratio), p


def test_near_misses():
    id = "fourier-neuron-near-misses"
    gammas = {k: value("fourier-max-margin", {"k": k, "p": 7}) for k in (1, 2, 3, 4)}
    for defect, printed in (("3/10", "0.955336489"), ("5/2", "-0.801143616")):
        found = value(id, {"k": 2, "p": 7, "delta": Fraction(defect)}, "phase defect")
        assert agrees(found / gammas[2], printed), defect
    shares = {
        (2, "1/2"): "0.707106781",
        (4, "1/2"): "0.353553391",
        (2, "4/5"): "0.804984472",
        (3, "4/5"): "0.68",
        (4, "4/5"): "0.590321946",
        (1, "4/5"): "1",
    }
    for (k, share), printed in shares.items():
        found = value(id, {"k": k, "p": 7, "t": Fraction(share)}, "two frequencies")
        assert agrees(found / gammas[k], printed), (k, share)


# ---- regularised optima: the norm is where the derivative of the stated loss vanishes

R = sp.Symbol("R", positive=True)


def optimum(k, p, penalty):
    """(norm, loss) at the stationary point beyond the flat part."""
    claim = CLAIMS["fourier-regularised-optimum"]
    names = {str(s): s for s in claim.form_of(claim.legs[0]).free_symbols}
    form = claim.form_of(claim.legs[0]).subs({names["k"]: k, names["p"]: p, names["lam"]: penalty})
    form = sp.piecewise_fold(form).subs(names["R"], R)
    loss, slope = sp.lambdify(R, form), sp.lambdify(R, sp.diff(form, R))
    low = next(r / 10 for r in range(20, 200) if slope(r / 10) < 0)
    high = next(r / 10 for r in range(int(low * 10), 400) if slope(r / 10) > 0)
    norm = brentq(slope, low, high, xtol=1e-13)
    return norm, loss(norm)


@pytest.mark.parametrize(
    ("k", "p", "penalty", "loss"),
    [
        (2, 3, "1/100", "0.0464582559"), (2, 5, "1/100", "0.0648306529"), (2, 7, "1/100", "0.0792241158"),
        (2, 11, "1/100", "0.1024094507"), (3, 3, "1/100", "0.0404448501"), (3, 5, "1/100", "0.0553421730"),
        (4, 3, "1/100", "0.0359313690"), (2, 4, "1/100", "0.0544414253"), (2, 6, "1/100", "0.0708448731"),
        (3, 4, "1/100", "0.0461493490"), (2, 9, "1/100", "0.0915037548"), (2, 3, "3/100", "0.1317537125"),
        (2, 5, "3/100", "0.1844780031"), (2, 7, "3/100", "0.2258234449"), (3, 3, "3/100", "0.1166085587"),
        (3, 5, "3/100", "0.1599373126"),
    ],
)  # fmt: skip
def test_regularised_losses(k, p, penalty, loss):
    assert abs(optimum(k, p, sp.Rational(penalty))[1] - float(loss)) < 6e-11


@pytest.mark.parametrize(
    ("k", "p", "penalty", "ratio"),
    [
        (2, 4, "1/10", "0.928587"),
        (2, 4, "1/100", "0.955359"),
        (2, 4, "1/1000", "0.967056"),
        (2, 4, "1/1000000", "0.981296"),
        (3, 4, "1/100", "0.941034"),
        (3, 4, "1/1000", "0.955946"),
        (2, 6, "1/10", "0.942224"),
        (2, 6, "1/1000", "0.972380"),
    ],
)
def test_margins_of_regularised_optima_at_even_moduli(k, p, penalty, ratio):
    norm, _ = optimum(k, p, sp.Rational(penalty))
    at = {"k": k, "p": p, "R": Fraction(norm)}
    found = value("fourier-lambda-limit", at) / value("fourier-any-modulus", at)
    assert abs(float(found) - float(ratio)) < 6e-7


# ---- in-context learning

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def spectrum(*lam, **rest):
    return {"lam": lam, "d": len(lam), **rest}


def test_rank_r_optima():
    rows = {
        (spectrum_key, N): values.split()
        for spectrum_key, N, values in (
            ((4, 2, HALF), 7, "-16/11 -1028/495 -4277/1980"),
            ((9, 1, Fraction(1, 9)), 1, "-729/506 -40869/27577 -68442283/46163898"),
            ((3, 2, 1, HALF, QUARTER), 20, "-1.290323 -2.110835 -2.471196 -2.616123 -2.668207"),
            ((10, 1, Fraction(1, 10), Fraction(1, 100)), 3, "-2.934846 -3.034118 -3.035422 -3.035435"),
            ((5, 4, 3, 2, 1, HALF), 100, "-2.401537 -4.308569 -5.721442 -6.640982 -7.070167 -7.259561"),
            ((2, 1), 10, "-0.800000 -1.157143"), ((2, 1), 100, "-0.975610 -1.456379"),
            ((2, 1), 10_000, "-0.999750 -1.499550"), ((3, 1, Fraction(3, 10)), 10, "-1.206434 -1.533232"),
        )
    }  # fmt: skip
    for (lam, N), values in rows.items():
        check(
            "icl-rank-r-optimum", [(spectrum(*lam, N=N, r=r + 1), v) for r, v in enumerate(values)]
        )


def test_evaluation_losses():
    base = spectrum(4, 2, HALF, N=7, M=5, z=(1, HALF, 1), sigma=HALF)
    losses = ("5", "1377/605", "936251/408375", "3499979/1633500")
    check("icl-behavior-regression", [({**base, "r": r}, v) for r, v in enumerate(losses)])
    long = spectrum(3, 2, 1, HALF, QUARTER, Fraction(1, 10), N=40, M=16, sigma=HALF,
                    z=(Fraction(6, 5), Fraction(-7, 10), 0, 0, 0, 0))  # fmt: skip
    check(
        "icl-behavior-regression", [({**long, "r": 2}, "0.892288"), ({**long, "r": 5}, "1.438802")]
    )
    flat = spectrum(4, 2, 1, HALF, QUARTER, N=1000, M=16, sigma=1, z=(1,) * 5)
    curve = ("7.75", "4.5422", "3.2077", "2.8066", "2.8662", "3.1446")
    check("icl-behavior-regression", [({**flat, "r": r}, v) for r, v in enumerate(curve)])
    best = {16: 3, 64: 5}
    for M, rank in best.items():
        point = {**flat, "M": M, "sigma": 1 if M == 16 else 0}
        found = [value("icl-behavior-regression", {**point, "r": r}) for r in range(6)]
        assert found.index(min(found)) == rank


def test_loss_gaps():
    point = spectrum(4, 2, HALF, N=7, M=5, z=(1, 0, 0), sigma=HALF, r=1, R=3, energy=4, length=1)
    check("icl-behavior-regression-special", [(point, "17153/40500")])


def test_flip_curve():
    base = spectrum(2, 1, HALF, QUARTER, N=100, M=16, z=(1, Fraction(4, 5), *[Fraction(3, 5)] * 2))
    printed = {
        0: "1.2015 .7650 .8013",
        HALF: "3.3181 3.5567 3.8739",
        1: "8.9780 10.9854 11.9955",
    }
    check(
        "icl-exp-synthetic-label-flip",
        [
            ({**base, "f": f, "r": r}, v)
            for f, row in printed.items()
            for r, v in zip((1, 2, 4), row.split(), strict=True)
        ],
    )


def test_parity_figures():
    check(
        "icl-parity-pt-threshold",
        [({"D": 4, "g": Fraction(1, 10)}, "1/15"), ({"D": 8, "g": Fraction(1, 5)}, "1/253")],
    )
    costs = {nu: value("icl-parity-margin-hamming-norm", {"nu": nu}) for nu in (1, 2, 3, 4)}
    # sum |W|^2 = cost / (16 gamma^2) at gamma = 1/10
    assert [costs[nu] * 100 / 16 for nu in costs] == [50, 300, 1200, 4000]
    assert [value("icl-parity-paired-class", {"nu2": nu}) for nu in (1, 2, 3)] == [8, 48, 192]
    small = {"nu1": 1, "nu2": 2, "gamma": Fraction(1, 10), "p_T": Fraction(1, 30)}
    check("icl-parity-paired-class-small", [(small, "1/150")])
    assert value(
        "icl-parity-projection-ratio-corrected", {"nu_j": 3, "nu2": 5, "M": 7}
    ) == Fraction(4, 7)


# ---- looped transformers


def test_errors_and_bounds():
    rows = {
        (Fraction(3, 2), 3): ("3.703704e-02", "3.678794e-01"),
        (Fraction(3, 2), 10): ("1.693509e-05", "3.567399e-02"),
        (2, 10): ("9.765625e-04", "8.208500e-02"),
        (4, 20): ("3.171212e-03", "8.208500e-02"),
        (10, 50): ("5.153775e-03", "8.208500e-02"),
        (100, 200): ("1.339797e-01", "3.678794e-01"),
        (1000, 2000): ("1.351999e-01", "3.678794e-01"),
    }
    for (kappa, T), (error, bound) in rows.items():
        at = {"kappa": kappa, "T": T, "alpha": 1}
        check("looped-error-bound-sharp", [(at, error)])
        check("looped-error-bound", [(at, bound)])


def test_exact_errors():
    base = {"lam": (4, 1), "c": (Fraction(3, 5), Fraction(4, 5)), "d": 2, "alpha": 1, "eta": QUARTER}  # fmt: skip
    check(
        "looped-error-exact",
        [({**base, "T": T}, v) for T, v in ((1, "-12/25"), (2, "-9/25"), (5, "-243/1600"))],
    )


def test_examples_that_the_quoted_hypothesis_needs():
    for d, sizes in ((1, (1024, 65536, 2359296)), (2, (16384, 1048576, 37748736))):
        for T, n in enumerate(sizes, start=1):
            assert value("looped-gatmiry-comparison", {"d": d, "T": T}) == n
    for n, printed in ((16, "1.25"), (32, "0.625"), (64, "0.3125"), (256, "0.078125")):
        check("looped-prompt-independent-step", [({"d": 4, "n": n}, printed)])
