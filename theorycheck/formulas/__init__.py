"""Formulas: normal forms, mutants, laws, names for numbers, diagnosis, exploring."""
