"""Contrastive learning on finitely many views, by enumeration.

A value a of z_R has probability p_a, a value u of z_U probability q_u; phi[a, u] is the representation of the view
x = g(a, u). A positive pair shares a and draws u twice; the negative view is an independent draw of both.
"""

from __future__ import annotations


def contrastive_loss(ns, p, q, phi, ell):
    """E ell(phi(x)^T (phi(x+) - phi(x-))) over all (a, u, u+, b, u-). p (B, n_R), q (B, n_U), phi (B, n_R, n_U, k),
    ``ell(ns, t)`` entry by entry. Shape (B,)."""
    same = ns.einsum("zauk,zavk->zauv", phi, phi)
    other = ns.einsum("zauk,zbwk->zaubw", phi, phi)
    gap = same[:, :, :, :, None, None] - other[:, :, :, None, :, :]
    weight = (
        p[:, :, None, None, None, None]
        * q[:, None, :, None, None, None]
        * q[:, None, None, :, None, None]
        * p[:, None, None, None, :, None]
        * q[:, None, None, None, None, :]
    )
    return ns.sum(weight * ell(ns, gap), axis=(1, 2, 3, 4, 5))


def code_loss(ns, p, codes, ell):
    """The same for a representation that depends on z_R only. p (B, n_R), codes (B, n_R, k). Shape (B,)."""
    inner = ns.einsum("zak,zbk->zab", codes, codes)
    own = ns.sum(codes * codes, axis=-1)
    gap = own[:, :, None] - inner
    return ns.sum(p[:, :, None] * p[:, None, :] * ell(ns, gap), axis=(1, 2))


def minus(ns, t):
    """The linear loss."""
    return -t


def logistic(ns, t):
    """log(1 + e^-t)."""
    return ns.softplus(-t)
