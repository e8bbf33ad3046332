"""Statements of families f[j], j = 1..n, for every length n: proved and refuted through statements of names alone.

A family of a given length, or one of two values, is a few names; and of a family of any length its sums are
names, for which facts are proved term by term. All of these are asked of the provers of names.
"""
