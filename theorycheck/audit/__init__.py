"""Audit: mutation testing of the claims themselves.

A claim's own parts are changed one at a time: lines of what measures and of what bounds (``source``), and
what its author declared (``declared``). A change that no evidence notices is a survivor. Each trial runs
in a process of its own (``trial``), many side by side (``run``); ``causes`` says what the engine can find
out about a survivor, and ``summary`` what a reader is shown.
"""
