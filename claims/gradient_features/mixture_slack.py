r"""Lemma B.30: how far below gamma the gradient of a nice neuron of a mixture stays.

Setting. As in `mixture_emergence`: on the sure set <G, y_j D_j> >= p_j A (1 - e) - M e - S d^(-0.9 tau) and the part
of G off D_j is at most M e + S d^(-0.9 tau), e = d^-tau, A = B_mu1 sqrt d, M = B_mu2 sqrt d, S = sigma_B+; p_j >=
1/(2 d) and A >= 4 S sqrt(tau log d), the scale assumption with constant 4; tau >= 8. The step (B.240) takes M e for a
multiple of S d^(-0.9 tau), which needs B_mu2 <= S d^(tau/10 - 1/2): a condition that the setup does not give, B_mu2
<= d being all it asks.

Statements. (1) With that condition, (perp/par)^2/2 <= d^(2 - 1.8 tau), constant 1. (2) Without it, for S d^(-0.9 tau)
<= M e, B_mu2 <= d and B_mu1 >= 4/d: perp/par is at most 2 d^(3 - tau), so that 1 - cos <= 2 d^(6 - 2 tau), which is
below gamma = d^(-(0.9 tau - 1.5)) too.

Proof of (1). Q = S d^(-0.9 tau) bounds both terms: perp <= 2 Q and par >= p A (1 - e) - 2 Q. d^(1 - 0.9 tau) <= 1/4
gives 2 Q <= p A/4 and e <= 1/4, so that par >= p A/2 >= S sqrt(tau log d)/d.

Reference: lines 6389-6411, 966-970.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

SIZES = ["d in 2..oo", "tau in [8, oo)"]


def one():
    """The constant of the order."""
    return 1


TEXTS = {
    "first term": typed(
        "M*d**(1/2 - tau) <= S*d**(-9*tau/10)",
        over=[*SIZES, "S in (0, oo)", "M in (0, S*d**(tau/10 - 1/2)]"],
    ),
    "powers": typed(
        "d**(-tau) <= 1/4 and d**(1 - 9*tau/10) <= 1/4 and tau*log(d) >= 4", over=SIZES
    ),
    # x = d^(1 - 0.9 tau), y = sqrt(tau log d)
    "against the mean": typed(
        "S*x/d <= (1/(2*d))*(4*S*y)/8",
        over=["S in (0, oo)", "d in (0, oo)", "x in [0, 1/4]", "y in [1, oo)"],
    ),
    "along": typed(
        "p*A*(1 - e) - 2*Q >= p*A/2",
        over=["p, A in (0, oo)", "e in [0, 1/4]", "Q in [0, p*A/8]"],
    ),
    "its size": typed(
        "p*A/2 >= S*y/d",
        over=["d, S, y in (0, oo)", "p in [1/(2*d), 1]", "A in [4*S*y, oo)"],
    ),
    "quotient": typed(
        "(2*S*d**(-9*tau/10)/(S*sqrt(tau*log(d))/d))**2/2 <= d**(2 - 9*tau/5)",
        over=[*SIZES, "S in (0, oo)"],
    ),
}
WRONG = {
    "first term": {"over": [*SIZES, "S in (0, oo)", "M in (0, oo)"]},
    "powers": "d**(-tau) <= 1/1000",
    "against the mean": "S*x/d <= (1/(2*d))*(4*S*y)/9",
    "along": {"over": ["p, A in (0, oo)", "e in [0, 1/2]", "Q in [0, p*A/8]"]},
    "its size": "p*A/2 >= 2*S*y/d",
    "quotient": "(2*S*d**(-9*tau/10)/(S*sqrt(tau*log(d))/d))**2/2 <= d**(1 - 9*tau/5)",
}


def part(name):
    """A step of the proof."""
    return formula_leg(name, TEXTS[name], gives="O", chosen_by=one)


slack = claim(
    "gradfeat-mixture-slack",
    states="gradfeat-mog-features",
    title="Cosine defect on the sure set",
    says=r"$\frac12(\mathrm{perp}/\mathrm{par})^2\le d^{2-1.8\tau}$ on the sure set, where $B_{\mu2}\le\sigma_{B+}"
    r"d^{\tau/10-1/2}$, which (B.240) presumes.",
    role="reading",
    covers="gamma-slack",
    reads={"w": "e Q"},
    legs=[part(name) for name in TEXTS],
    rivals=[
        rival
        for name, wrong in WRONG.items()
        for rival in rivals_of(part(name), {f"{name}, changed": wrong})
    ],
)

# p_j >= 1/(2 d), A >= (4/d) sqrt d, both terms of the part off D_j at most d d^(1/2 - tau)
SMALL = formula_leg(
    "against the least mean",
    typed("d**(3/2 - tau) <= (1/(2*d))*(4/d)*sqrt(d)/8", over=SIZES),
)
BELOW = formula_leg(
    "below the aperture",
    typed(
        "(2*d**(3/2 - tau)/((1/(2*d))*(4/d)*sqrt(d)/2))**2/2 == 2*d**(6 - 2*tau) and "
        "2*d**(6 - 2*tau) <= d**(-(9*tau/10 - 3/2))",
        over=SIZES,
    ),
)

far = claim(
    "gradfeat-mixture-slack-always",
    states="gradfeat-mog-features",
    title="Below the aperture without the condition",
    says=r"Where $B_{\mu2}\le d$ and $B_{\mu1}\ge\frac4d$ are all that is known of the means and their term "
    r"leads, $\frac12(\mathrm{perp}/\mathrm{par})^2\le2d^{6-2\tau}\le\gamma$.",
    role="derived",
    legs=[SMALL, BELOW],
    rivals=[
        *rivals_of(SMALL, {"d^(1 - tau)": "d**(1 - tau) >= (1/(2*d))*(4/d)*sqrt(d)/8"}),
        *rivals_of(BELOW, {"4 - 2 tau": "2*d**(6 - 2*tau) <= d**(4 - 2*tau)"}),
    ],
)
