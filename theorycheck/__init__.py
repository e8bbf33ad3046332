"""theorycheck: do the formula and the thing that it describes agree, and how sharply is that known?"""
