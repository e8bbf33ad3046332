"""The second program: kept proofs rechecked from their witness alone, by code that the provers share nothing with.

It reads the printed statement and its scope with a grammar of its own, calculates in python-flint, and imports
nothing else of this package. `files` reads a report, `judge` answers for one statement.
"""
