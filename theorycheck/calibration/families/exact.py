"""Equalities on exact values: sums, surds, counts, whole finite domains, drawn instances, proofs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from theorycheck.calibration.cases import Build, Truth, relative
from theorycheck.calibration.families.building import N, about_n, claimed, wrong
from theorycheck.claims.instances import Instance, instances
from theorycheck.claims.legs import leg
from theorycheck.claims.model import Claim, claim
from theorycheck.evidence.proof import Proof
from theorycheck.formulas.normal_form import same_function
from theorycheck.numbers.domain import integers, odd_integers, reals
from theorycheck.numbers.surd import sqrt
from theorycheck.relations.equality import counts, equals


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from power_sums()
    yield from surds()
    yield from counted()
    yield from bits()
    yield from residues()
    yield from geometric()
    yield from products()
    yield from identities()
    yield from finite_proofs()


def power_sums() -> Iterator[Truth]:
    """sum of i**k for i <= n is Faulhaber's polynomial; the automatic mutants run too."""
    i = sympy.Dummy("i")
    for k in range(1, 9):
        form = sympy.factor(sympy.summation(i**k, (i, 1, N)))
        build = about_n(
            lambda n, k=k: sum(j**k for j in range(1, n + 1)), range(2, 9), mutate=k <= 4
        )
        yield Truth(
            "power sums",
            "equals",
            "exact",
            f"k={k}",
            build,
            form,
            relative,
            wrong(
                build,
                leading_term_only=N ** (k + 1) / (k + 1),
                sign=-form,
                argument=form.subs(N, N + 1),
                exponent=form * sympy.sqrt(N),
            ),
        )


def surds() -> Iterator[Truth]:
    """b sqrt(a n), judged as algebraic numbers."""
    for a, b in itertools.product((1, 2, 3, 6), (Fraction(1), Fraction(2, 7))):
        build = about_n(lambda n, a=a, b=b: sqrt(a * n) * b, range(1, 6))
        form = b * sympy.sqrt(a * N)
        yield Truth(
            "surds",
            "equals",
            "exact",
            f"a={a} b={b}",
            build,
            form,
            relative,
            wrong(
                build,
                next_radicand=b * sympy.sqrt(a * N + 1),
                constant=form + sympy.Rational(1, 10**40),
            ),
        )


def counted() -> Iterator[Truth]:
    """Objects that are counted one by one."""

    def words(n: int) -> int:
        return sum("11" not in f"{w:0{n}b}" for w in range(2**n))

    def coprime(n: int) -> int:
        return sum(math.gcd(j, n) == 1 for j in range(1, n + 1))

    build = about_n(words, range(1, 9), counts())
    yield Truth(
        "counting",
        "counts",
        "exact",
        "words without 11",
        build,
        sympy.fibonacci(N + 2),
        relative,
        wrong(
            build, shift=sympy.fibonacci(N + 1), growth=2**N, plus_one=sympy.fibonacci(N + 2) + 1
        ),
    )
    build = about_n(coprime, range(2, 16), counts())
    yield Truth(
        "counting",
        "counts",
        "exact",
        "coprime residues",
        build,
        sympy.totient(N),
        relative,
        wrong(build, primes_only=N - 1),
    )
    yield from _chosen()


def _chosen() -> Iterator[Truth]:
    """k of n, in order and without."""
    for k in range(2, 5):

        def injections(n: int, k: int = k) -> int:
            return sum(len(set(t)) == k for t in itertools.product(range(n), repeat=k))

        def subsets(n: int, k: int = k) -> int:
            return sum(w.bit_count() == k for w in range(2**n))

        build = about_n(injections, range(k, 7), counts())
        form = sympy.ff(N, k)
        yield Truth(
            "counting",
            "counts",
            "exact",
            f"injections of {k}",
            build,
            form,
            relative,
            wrong(build, replacement=N**k, order=form / sympy.factorial(k)),
        )
        build = about_n(subsets, range(k, 10), counts())
        form = sympy.binomial(N, k)
        yield Truth(
            "counting",
            "counts",
            "exact",
            f"subsets of {k}",
            build,
            form,
            relative,
            wrong(
                build, one_more=sympy.binomial(N + 1, k), leading_term_only=N**k / math.factorial(k)
            ),
        )


def bits() -> Iterator[Truth]:
    """Legendre: n - sum of floor(n / 2**i) ones in the binary digits of n; every n of the domain."""
    for width in range(2, 8):
        last = 2**width - 1
        build = about_n(
            lambda n: n.bit_count(), range(1, last + 1), counts(), domain=integers(1, last)
        )
        terms = [sympy.floor(N / 2**i) for i in range(1, width)]
        form = N - sympy.Add(*terms)
        yield Truth(
            "binary digits",
            "counts",
            "exhaustive",
            f"{width} bits",
            build,
            form,
            relative,
            wrong(build, last_term_dropped=form + terms[-1], sign=N + sympy.Add(*terms)),
        )


def residues() -> Iterator[Truth]:
    """Fermat: n**(p-1) is 1 modulo a prime p for every 0 < n < p; squares of odd n are 1 modulo 8."""
    for p, composite in ((3, 4), (5, 6), (7, 9), (11, 15), (13, 21), (17, 25)):

        def fermat(modulus: int, less: int = 1) -> Build:
            return about_n(
                lambda n: pow(n, modulus - less, modulus),
                range(1, modulus),
                domain=integers(1, modulus - 1),
            )

        yield Truth(
            "Fermat",
            "equals",
            "exhaustive",
            f"p={p}",
            fermat(p),
            sympy.Integer(1),
            relative,
            {
                "hypothesis prime": claimed(fermat(composite), sympy.Integer(1)),
                "exponent": claimed(fermat(p, 2), sympy.Integer(1)),
            },
        )
    for last in (9, 31):
        odd = about_n(lambda n: n * n % 8, range(1, last + 1, 2), domain=odd_integers(1, last))
        every = about_n(lambda n: n * n % 8, range(1, last + 1), domain=integers(1, last))
        yield Truth(
            "odd squares",
            "equals",
            "exhaustive",
            f"to {last}",
            odd,
            sympy.Integer(1),
            relative,
            {"hypothesis odd": claimed(every, sympy.Integer(1))},
        )


def geometric() -> Iterator[Truth]:
    """Sums of array programs in rational arithmetic."""
    for x in (Fraction(1, 3), Fraction(-2, 5), Fraction(7, 4), Fraction(3, 7)):

        def horner(ns: Any, n: int, x: Fraction = x) -> Any:
            total = ns.asarray(0)
            for _ in range(n):
                total = total * ns.asarray(x) + 1
            return total

        build = about_n(horner, range(2, 9), arithmetic="rational")
        form = (1 - sympy.Rational(x) ** N) / (1 - x)
        yield Truth(
            "geometric sums",
            "equals",
            "rational",
            f"x={x}",
            build,
            form,
            relative,
            wrong(build, infinite=sympy.Rational(1) / (1 - x), argument=form.subs(N, N + 1)),
        )
    for m in (1, 2, 3, 4):

        def telescope(ns: Any, n: int, m: int = m) -> Any:
            i = ns.arange(n) + 1
            return ns.sum(ns.asarray(m) / (i * (i + m)))

        build = about_n(telescope, range(m, 9), arithmetic="rational")
        form = sympy.Add(*(sympy.Rational(1, j) - 1 / (N + j) for j in range(1, m + 1)))
        yield Truth(
            "telescoping sums",
            "equals",
            "rational",
            f"m={m}",
            build,
            form,
            relative,
            wrong(build, last_term_dropped=form + 1 / (N + m), sign=-form),
        )


def products() -> Iterator[Truth]:
    """A (B v) is (A B) v on drawn instances: procedure against procedure."""
    for d in (2, 3, 4):

        def draw(rng: Any, n: int, d: int = d) -> Instance:
            return {
                "a": rng.rational((d, d), 9),
                "b": rng.rational((d, d), 9),
                "v": rng.rational((d, 1), 9),
            }

        def right_first(ns: Any, a: Any, b: Any, v: Any) -> Any:
            return ns.matmul(a, ns.matmul(b, v))

        def left_first(ns: Any, a: Any, b: Any, v: Any) -> Any:
            return ns.matmul(ns.matmul(a, b), v)

        def swapped(ns: Any, a: Any, b: Any, v: Any) -> Any:
            return ns.matmul(ns.matmul(b, a), v)

        def term_added(ns: Any, a: Any, b: Any, v: Any) -> Any:
            return ns.matmul(ns.matmul(a, b), v) + ns.rational(1, 10**15) * v

        def build(reference: Any, draw: Any = draw) -> Any:
            def made(id: str, form: Any = None) -> Claim:
                return claim(
                    id,
                    domain={N: integers(1)},
                    grid={"smoke": {N: [1, 2]}},
                    relation=equals(),
                    legs=[
                        leg(
                            "value",
                            right_first,
                            arithmetic="rational",
                            reference=reference,
                            instances=instances(draw, "a b v", smoke=5),
                        )
                    ],
                )

            return made

        yield Truth(
            "matrix products",
            "equals",
            "rational",
            f"d={d}",
            build(left_first),
            None,
            None,
            {"factors swapped": build(swapped), "small term added": build(term_added)},
        )


def identities() -> Iterator[Truth]:
    """Proved by normal forms. A proof that is not found refutes nothing."""
    x = sympy.Symbol("x", positive=True)
    pairs = {
        "Pythagoras": (sympy.sin(x) ** 2 + sympy.cos(x) ** 2, 1, 2),
        "Pascal": (
            sympy.binomial(N, 2) + sympy.binomial(N, 1),
            sympy.binomial(N + 1, 2),
            sympy.binomial(N, 2),
        ),
        "factorial": (sympy.factorial(N + 1) / sympy.factorial(N), N + 1, N),
        "squares": ((x + N) ** 2 - (x - N) ** 2, 4 * x * N, 2 * x * N),
        "addition": (
            sympy.sin(2 * x),
            2 * sympy.sin(x) * sympy.cos(x),
            sympy.sin(x) * sympy.cos(x),
        ),
        "hyperbola": (sympy.cosh(x) ** 2 - sympy.sinh(x) ** 2, 1, -1),
        "logarithm": (sympy.log(x**3), 3 * sympy.log(x), sympy.log(x) ** 3),
        "cubes": (x**3 - 1, (x - 1) * (x**2 + x + 1), (x - 1) * (x**2 - x + 1)),
        "powers": (2 ** (N + 3), 8 * 2**N, 6 * 2**N),
        "roots": (sympy.sqrt(x) * x, x ** sympy.Rational(3, 2), x**2),
    }

    def build(left: Any, right: Any) -> Any:
        def settled() -> Proof:
            return Proof(
                same_function(left, right, {"n": integers(1), "x": reals(0, low_open=True)}),
                "normal form",
                {},
            )

        def made(id: str, form: Any = None) -> Claim:
            return claim(
                id,
                domain={},
                grid={"smoke": [{}]},
                legs=[leg("proof", settled, arithmetic="proof")],
            )

        return made

    for name, (left, right, false) in pairs.items():
        lies = {
            "false identity": build(left, sympy.sympify(false)),
            "off by 1e-30": build(left, right + sympy.Rational(1, 10**30)),
        }
        yield Truth(
            "identities",
            "equals",
            "proof",
            name,
            build(left, sympy.sympify(right)),
            None,
            None,
            lies,
        )


def finite_proofs() -> Iterator[Truth]:
    """Proved or refuted by trying all cases of a finite statement."""

    def build(statement: Callable[[int], bool], last: int) -> Build:
        def tried() -> Proof:
            found = next((n for n in range(1, last + 1) if not statement(n)), None)
            return Proof(
                found is None, "all cases", {"cases": last}, None if found is None else {"n": found}
            )

        def made(id: str, form: Any) -> Claim:
            return claim(
                id, domain={}, grid={"smoke": [{}]}, legs=[leg("proof", tried, arithmetic="proof")]
            )

        return made

    for name, true, false in (
        (
            "sum of odd numbers",
            lambda n: sum(range(1, 2 * n, 2)) == n * n,
            lambda n: sum(range(1, 2 * n, 2)) == n * n + (n == 77),
        ),
        ("n^3 - n mod 6", lambda n: (n**3 - n) % 6 == 0, lambda n: (n**3 + n) % 6 == 0),
        (
            "consecutive squares",
            lambda n: (n + 1) ** 2 - n * n == 2 * n + 1,
            lambda n: (n + 1) ** 2 - n * n == 2 * n,
        ),
        ("Bernoulli", lambda n: 2**n >= n + 1, lambda n: 2**n > n + 1),
        (
            "Euler's polynomial",
            lambda n: n % 40 == 0 or _prime(n % 40 * (n % 40 + 1) + 41),
            lambda n: _prime(n * n + n + 41),
        ),
    ):
        yield Truth(
            "finite proofs",
            "equals",
            "proof",
            name,
            build(true, 90),
            None,
            None,
            {"false statement": claimed(build(false, 90), None)},
        )


def _prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


__all__ = ["truths"]
