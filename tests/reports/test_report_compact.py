"""A page says what its pictures share once, and loses nothing by it."""

from __future__ import annotations

import re

from theorycheck.reports import compact

LINE = (
    '<svg class="figure"><path style="fill:none" d="M0 0"/><path style="fill:red" d="M1 1"/></svg>'
)
OTHER = '<svg class="figure"><path style="fill:none" d="M2 2"/><path d="M3 3"/></svg>'


def expanded(text, rules):
    """The text with each name replaced by the style that its rule has."""
    known = dict(re.findall(r"\.(s-\d+)\{([^}]*)\}", rules))
    return re.sub(r' class="(s-\d+)"', lambda m: f' style="{known[m[1]]}"', text)


def test_styles_that_occur_twice_are_rules_and_nothing_is_lost():
    made, rules = compact.shared_styles([LINE, OTHER])
    assert rules == ".s-0{fill:none}"
    assert [expanded(text, rules) for text in made] == [LINE, OTHER]
    assert made[0].count('style="fill:red"') == 1 and 'class="figure"' in made[0]
    assert sum(map(len, made)) < len(LINE) + len(OTHER)


def test_pictures_without_styles_and_none_at_all_stay():
    assert compact.shared_styles([]) == ([], "")
    assert compact.shared_styles(["", "<svg/>"]) == (["", "<svg/>"], "")


def test_only_attributes_of_elements_are_taken():
    page = '<math xmlns="http://www.w3.org/1998/Math/MathML">xmlns=&#34;http://www.w3.org/2000/svg&#34;</math>'
    assert (
        compact.without_namespaces(page)
        == "<math>xmlns=&#34;http://www.w3.org/2000/svg&#34;</math>"
    )
