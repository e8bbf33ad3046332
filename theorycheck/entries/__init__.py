"""Entries: what a report says, as typed values.

In a low room, since judging fills them in, coverage counts them and reports show them; nothing is
computed here. ``parts`` holds what a judgement says of a claim, ``report`` a claim's whole entry and the
report of a run.
"""
