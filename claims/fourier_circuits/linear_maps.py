"""Section 4.3.3 and the norm constraint in Fourier space: two identities of linear maps, for every size.

Setting. At an input a the m neurons have the inner sums s_h = u_{h,1}(a_1) + .. + u_{h,k}(a_k), g_h = s_h^k; W
(p x m) has the output vectors w_h as its columns, so that f(a) = W g, of which y picks any label. C and S are the
matrices cos(2 pi j x/p) and sin(2 pi j x/p): the transform of u has the real part C u and the imaginary part -S u.

Statements. (1) Scaled by alpha the inner sums have alpha^k times their powers, and f(alpha theta, a) =
(alpha W)(alpha^k g) has alpha^{k+1} times the output at every label. (2) |C u|^2 + |S u|^2 is the value at u of
C^T C + S^T S, whose entry at x, z is the sum over j of cos(2 pi j (x - z)/p): p where x = z and 0 elsewhere, for
x - z = n or -n with 1 <= n < p (s = p below; at p = 1 there is no such pair). That is p |u|^2, and so for each of
the k + 1 vectors.

Reference: section 4.3.3, Eq. (C.4)-(C.16) (arXiv 2402.09469); programs: `homogeneity`, `norm_chain`.
"""

from __future__ import annotations

from theorycheck import claim, exactly, formula_leg, rivals_of, typed

POWER = "Sum(alpha*u[i], (i, 1, k))**k"
inner = formula_leg(
    "inner sums",
    typed(
        f"{POWER} == alpha**k*Sum(u[i], (i, 1, k))**k",
        over=["k in 1..oo", "alpha in (0, oo)", "u[i] in R for i in 1..k"],
    ),
)
SCALED = "dot(y, (alpha*W)*(alpha**k*g))"
outputs = formula_leg(
    "outputs",
    typed(
        f"{SCALED} == alpha**(k + 1)*dot(y, W*g)",
        over=[
            "k in 1..oo; p in 2..oo; m in 1..oo; alpha in (0, oo)",
            "W in R^(p x m)",
            "g in R^m",
            "y in R^p",
        ],
    ),
    lhs=r"f(\alpha\theta,x)",
    tex=r"\alpha^{k+1}f(\theta,x)",
)
homogeneous = claim(
    "fourier-homogeneity-network",
    states="fourier-homogeneity",
    title="A network is homogeneous of degree $k+1$ for every $k$, $p$ and width",
    says=r"For every $k$, $p$, width and $\alpha>0$ scaling all parameters by $\alpha$ multiplies every output at "
    r"every input by $\alpha^{k+1}$.",
    covers="network",
    reads={"theta": "W g", "x": "g"},
    legs=[inner, outputs],
    rivals=[
        *exactly(inner, outputs),
        *rivals_of(inner, {"degree 1": f"{POWER} == alpha*Sum(u[i], (i, 1, k))**k"}),
        *rivals_of(outputs, {"degree k": f"{SCALED} == alpha**k*dot(y, W*g)"}),
    ],
)

POWERS = "dot(C*u, C*u) + dot(S*u, S*u)"
gram = formula_leg(
    "as a quadratic form",
    typed(
        f"{POWERS} == dot(u, C^T*C*u) + dot(u, S^T*S*u)",
        over=["p in 1..oo", "C, S in R^(p x p)", "u in R^p"],
    ),
    lhs=r"\|\hat u\|^2",
    tex=r"u^\top(C^\top C+S^\top S)\,u",
)
entry = formula_leg(
    "an entry", typed("cos(a)*cos(b) + sin(a)*sin(b) == cos(a - b)", over="a, b in R")
)
apart = formula_leg(
    "off the diagonal",
    typed(
        "Sum(cos(2*pi*j*n/s), (j, 0, s - 1)) == 0",
        over="s in 2..oo; n in 1..s - 1",
    ),
)
diagonal = formula_leg(
    "on the diagonal",
    typed(
        "Sum(cos(0), (j, 1, p)) == p and Sum(u[x]*(p*u[x]), (x, 1, p)) == p*Sum(u[x]**2, (x, 1, p))",
        over=["p in 1..oo", "u[x] in R for x in 1..p"],
    ),
    lhs=r"\|\hat u\|^2",
    tex=r"p\,\|u\|^2",
)
plancherel = claim(
    "fourier-plancherel-every-modulus",
    states="fourier-norm-chain",
    title="Plancherel, for every modulus",
    says="For every $p$ and every real $u$ the squared moduli of the transform sum to $p$ times the squared norm.",
    covers="plancherel",
    legs=[gram, entry, apart, diagonal],
    rivals=[
        *exactly(gram, entry, apart, diagonal),
        *rivals_of(gram, {"transposed": f"{POWERS} == dot(u, C*C*u) + dot(u, S*S*u)"}),
        *rivals_of(entry, {"of the sum": "cos(a)*cos(b) + sin(a)*sin(b) == cos(a + b)"}),
        *rivals_of(apart, {"the diagonal too": {"over": "s in 2..oo; n in 0..s - 1"}}),
        *rivals_of(
            diagonal,
            {
                "without the factor p": "Sum(cos(0), (j, 1, p)) == 1"
                " and Sum(u[x]*u[x], (x, 1, p)) == p*Sum(u[x]**2, (x, 1, p))"
            },
        ),
    ],
)
