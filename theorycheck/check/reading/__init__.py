"""Text as people type and paste it, brought to the canonical grammar of `theorycheck.check.text`.

`tokens` and `latex` cut text into tokens, `parser` makes a tree of them, `vectors` puts coordinates
in the place of vectors, `tree` prints the canonical text, `domains` does the same for ``--for``, and
`reader` joins them. All of it is text to text: nothing is evaluated, and what comes out is scanned by
the same whitelist as what was typed literally.
"""
