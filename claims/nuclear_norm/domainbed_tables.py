"""Tables 6.1 to 6.3 and E.1 to E.6: the arithmetic of the DomainBed results.

Setting. Out-of-distribution accuracies in percent on VLCS, PACS, OfficeHome, TerraInc and DomainNet, rounded to a
tenth, each row with its printed average; 173 rows in all. The networks themselves are out of reach here.

Statements. (1) Each printed average is the mean of the row: as both are rounded, within 0.1. False at one row:
SelfReg in Table 6.1 has mean 63.96 and 64.2 is printed. (2) The averages of Tables E.1 to E.5 are the cells of
Table 6.1. False at two: mDSDI and Fishr are interchanged for OfficeHome. (3) The penalised version is ahead on
every data set, of ERM, of SWAD and of Mixup; the headline differences are 1.7, 3.5 and 3.1. (4) SWAD-NU leads
Table 6.3, of three data sets, and not Table E.6, of five, where SWAD-MIRO does.

Reference: Tables 6.1-6.3, E.1-E.6, lines 1694-1721, 1833-1891, 9276-9413.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, at_most, choices, claim, equals, leg, variant

from ._tables import DATASETS, ROWS

row, method, dataset, pair, table = sp.symbols("row method dataset pair table")

CORRECTED = {**ROWS, "6.1 SelfReg": (*ROWS["6.1 SelfReg"][:-1], Fraction(64))}
"""SelfReg: the mean 63.96 in tenths."""


def distance_to_mean(rows, row):
    """|printed average - mean of the printed columns| in percentage points."""
    *columns, average = rows[row]
    return abs(sum(columns) / len(columns) - average)


def as_printed(row):
    return distance_to_mean(ROWS, row)


def as_corrected(row):
    return distance_to_mean(CORRECTED, row)


NAMES = list(ROWS)
EVERY_ROW = {row: choices(*NAMES)}


def rows_in_all(row):
    return len(NAMES)


def rows_of_chapter(row):
    """Of Tables 6.1 to 6.3 alone."""
    return sum(name.startswith("6.") for name in NAMES)


averages = claim(
    "nuclear-table-averages",
    lhs=r"|\text{printed}-\text{mean}|",
    states="nuclear-domainbed-tables",
    title="Printed averages",
    says="Each of the 173 printed averages is the mean of its row, up to the rounding of both.",
    expect="fail",
    covers="averages",
    domain=EVERY_ROW,
    grid={"smoke": {row: NAMES}},
    closed_form=sp.Rational(1, 10),
    relation=at_most(),
    legs=[leg("all rows", as_printed)],
)

averages_corrected = claim(
    "nuclear-table-averages-corrected",
    lhs=r"|\text{printed}-\text{mean}|",
    states="nuclear-domainbed-tables",
    title="Averages with SelfReg at 64.0",
    says="With 64.0 for SelfReg in Table 6.1 every average is the mean of its row up to the rounding of both.",
    role="corrected",
    corrects="nuclear-table-averages",
    covers="averages",
    domain=EVERY_ROW,
    grid={"smoke": {row: NAMES}},
    closed_form=sp.Rational(1, 10),
    relation=at_most(),
    legs=[
        leg("all rows", as_corrected),
        leg(
            "173 of them",
            rows_in_all,
            relation=equals(),
            closed_form=sp.Integer(173),
            required=False,
            grid={"smoke": {row: NAMES[:1]}},
            lhs=r"\#\text{rows}",
            tex="173",
        ),
    ],
    rivals=[
        variant("those of the chapter", simulation=rows_of_chapter, leg="173 of them"),
        variant("the columns are exact: within 0.05", closed_form=sp.Rational(1, 20)),
        variant("SelfReg as printed", simulation=as_printed),
    ],
)

# ---- Tables E.1 to E.5 against Table 6.1

TABLE_OF = dict(zip(DATASETS, ("E.1", "E.2", "E.3", "E.4", "E.5"), strict=True))
SHARED = tuple(name.removeprefix("E.1 ") for name in ROWS if name.startswith("E.1 "))
"""Methods of Tables E.1 to E.5; Mixup-NU is not in Table 6.1."""
BOTH = tuple(m for m in SHARED if f"6.1 {m}" in ROWS)
EXCHANGED = {"mDSDI": "Fishr", "Fishr": "mDSDI"}


def cell_distance(method, dataset):
    """|cell of Table 6.1 - average in the data set's own table|."""
    cell = ROWS[f"6.1 {method}"][DATASETS.index(dataset)]
    return abs(cell - ROWS[f"{TABLE_OF[dataset]} {method}"][-1])


def cell_distance_exchanged(method, dataset):
    """The same with the averages of mDSDI and Fishr in Table E.3 interchanged."""
    cell = ROWS[f"6.1 {method}"][DATASETS.index(dataset)]
    source = EXCHANGED.get(method, method) if dataset == "OfficeHome" else method
    return abs(cell - ROWS[f"{TABLE_OF[dataset]} {source}"][-1])


def exchanged_everywhere(method, dataset):
    cell = ROWS[f"6.1 {method}"][DATASETS.index(dataset)]
    return abs(cell - ROWS[f"{TABLE_OF[dataset]} {EXCHANGED.get(method, method)}"][-1])


def rows_printed_twice(method, dataset):
    """How many rows of Table 6.2 are not those of the data sets' own tables, and cells of Table 6.3 not those of Table
    E.6."""
    own = dict(zip(("6.2a", "6.2b", "6.2c", "6.2d", "6.2e"), TABLE_OF.values(), strict=True))
    rows = [(name, f"{own[name.split()[0]]} {name.split()[1]}") for name in ROWS if name[:4] in own]
    others = [(name, f"E.6{name[3:]}") for name in ROWS if name.startswith("6.3 ")]
    kept = [DATASETS.index(name) for name in ("VLCS", "PACS", "DomainNet")]
    return sum(ROWS[a] != ROWS[b] for a, b in rows) + sum(
        ROWS[a][:-1] != tuple(ROWS[b][i] for i in kept) for a, b in others
    )


def cells_in_all(method, dataset):
    return len(BOTH) * len(DATASETS)


CELLS_IN_ALL = 105
"""21 methods on five data sets."""


def cells_that_differ(method, dataset):
    """How many cells of Table 6.1 differ from the averages of the data sets' own tables, as printed."""
    return sum(cell_distance(m, s) != 0 for m in BOTH for s in DATASETS)


CELLS = {method: choices(*BOTH), dataset: choices(*DATASETS)}
EVERY_CELL = {"smoke": {method: list(BOTH), dataset: list(DATASETS)}}

cross_table = claim(
    "nuclear-tables-agree",
    lhs=r"|\text{average}-\text{cell}|",
    states="nuclear-domainbed-tables",
    title="Tables E.1 to E.5 against Table 6.1",
    says="Every average of Tables E.1 to E.5 is the cell of Table 6.1.",
    expect="fail",
    covers="cross-table",
    domain=CELLS,
    grid=EVERY_CELL,
    closed_form=sp.Integer(0),
    legs=[leg("all cells", cell_distance, unit=1)],
)

cross_table_corrected = claim(
    "nuclear-tables-agree-corrected",
    lhs=r"|\text{average}-\text{cell}|",
    states="nuclear-domainbed-tables",
    title="The tables with mDSDI and Fishr exchanged for OfficeHome",
    says="With mDSDI and Fishr exchanged in Table E.3 every average is the cell of Table 6.1.",
    role="corrected",
    corrects="nuclear-tables-agree",
    covers="cross-table",
    domain=CELLS,
    grid=EVERY_CELL,
    closed_form=sp.Integer(0),
    legs=[
        leg("all cells", cell_distance_exchanged, unit=1),
        leg(
            "as printed two differ",
            cells_that_differ,
            closed_form=sp.Integer(2),
            required=False,
            grid={"smoke": [{method: "Fishr", dataset: "OfficeHome"}]},
            lhs=r"\#\{\text{average}\ne\text{cell}\}",
            tex="2",
        ),
        leg(
            "rows printed twice",
            rows_printed_twice,
            closed_form=sp.Integer(0),
            required=False,
            unit=1,
            grid={"smoke": [{method: "Fishr", dataset: "OfficeHome"}]},
            lhs=r"\#\{\text{row}\ne\text{row printed again}\}",
            tex="0",
        ),
        leg(
            "how many cells",
            cells_in_all,
            closed_form=sp.Integer(CELLS_IN_ALL),
            required=False,
            grid={"smoke": [{method: "Fishr", dataset: "OfficeHome"}]},
            lhs=r"\#\text{cells}",
            tex=str(CELLS_IN_ALL),
        ),
    ],
    rivals=[
        variant("one of them differs", closed_form=sp.Integer(1), leg="rows printed twice"),
        variant("one cell fewer", closed_form=sp.Integer(CELLS_IN_ALL - 1), leg="how many cells"),
        variant("one of them", closed_form=sp.Integer(1), leg="as printed two differ"),
        variant("exchanged on every data set", simulation=exchanged_everywhere, leg="all cells"),
        variant("as printed", simulation=cell_distance, leg="all cells"),
    ],
)

# ---- what the text says of them


def gains(dataset, turned=False):
    """Gains of the penalty over ERM, SWAD and Mixup on one data set, in points; of these over the penalty where
    ``turned``. Mixup-NU is in the own tables only."""
    at, own = DATASETS.index(dataset), TABLE_OF[dataset]
    pairs = [(ROWS[f"6.1 {m}-NU"][at], ROWS[f"6.1 {m}"][at]) for m in ("ERM", "SWAD")]
    pairs.append((ROWS[f"{own} Mixup-NU"][-1], ROWS[f"{own} Mixup"][-1]))
    return [a - b for a, b in (pair[::-1] if turned else pair for pair in pairs)]


def losses(dataset):
    return gains(dataset, turned=True)


LEAST_GAINS = {
    "VLCS": Fraction(1, 10),
    "PACS": Fraction(1, 10),
    "OfficeHome": Fraction(7, 10),
    "TerraInc": Fraction(17, 10),
    "DomainNet": Fraction(6, 10),
}
"""The least of the three gains on each data set."""


def least_gain(dataset):
    return min(gains(dataset))


def stated_least_gain(dataset):
    return LEAST_GAINS[dataset]


def least_of_its_neighbour(dataset):
    """That of the next data set."""
    return LEAST_GAINS[DATASETS[(DATASETS.index(dataset) + 1) % len(DATASETS)]]


def gains_by_domain(dataset):
    """The least gain over ERM on a single test domain, three times."""
    own = TABLE_OF[dataset]
    pairs = zip(ROWS[f"{own} ERM-NU"], ROWS[f"{own} ERM"], strict=True)
    return [min(new - old for new, old in pairs)] * 3


dataset_gains = claim(
    "nuclear-dataset-gains",
    lhs=r"\text{gain}",
    states="nuclear-domainbed-tables",
    title="A gain on every data set",
    says="On each of the five data sets the penalised version is at least 0.1 points ahead of ERM, of SWAD and of "
    "Mixup: fifteen comparisons of printed averages. The least gains are 0.1, 0.1, 0.7, 1.7 and 0.6.",
    covers="dataset-gains",
    domain={dataset: choices(*DATASETS)},
    grid={"smoke": {dataset: list(DATASETS)}},
    closed_form=sp.Rational(1, 10),
    relation=at_least(),
    legs=[
        leg("fifteen comparisons", gains),
        leg(
            "the least of three",
            least_gain,
            reference=stated_least_gain,
            relation=equals(),
            lhs=r"\min(\text{gain})",
            tex=r"\min(\text{gain as listed})",
        ),
    ],
    rivals=[
        variant(
            "more than one standard error of PACS",
            closed_form=sp.Rational(1, 5),
            leg="fifteen comparisons",
        ),
        variant("the other way round", simulation=losses, leg="fifteen comparisons"),
        variant("on every test domain", simulation=gains_by_domain, leg="fifteen comparisons"),
        variant(
            "those of the next data set", reference=least_of_its_neighbour, leg="the least of three"
        ),
    ],
)

PAIRS = {
    1: ("6.1 ERM-NU", "6.1 ERM", 5),
    2: ("6.1 ERM-NU", "6.1 ERM", 3),
    3: ("E.5 Mixup-NU", "E.5 Mixup", 6),
}
"""New row, old row, column: the average over ERM, TerraInc over ERM, DomainNet over Mixup."""


def difference(pair):
    """The difference of the two printed numbers, in points."""
    new, old, column = PAIRS[pair]
    return ROWS[new][column] - ROWS[old][column]


def of_swad(pair):
    _, old, column = PAIRS[pair]
    swad = {"6.1 ERM": "6.1 SWAD", "E.5 Mixup": "E.5 SWAD"}[old]
    return ROWS[f"{swad}-NU"][column] - ROWS[swad][column]


headline = claim(
    "nuclear-headline-differences",
    lhs=r"\text{difference}",
    states="nuclear-domainbed-tables",
    title="Headline differences",
    says="ERM-NU is 1.7 points above ERM on average and 3.5 on TerraInc, Mixup-NU 3.1 above Mixup on DomainNet.",
    covers="headline-differences",
    domain={pair: choices(1, 2, 3)},
    grid={"smoke": {pair: [1, 2, 3]}},
    closed_form=sp.Piecewise(
        (sp.Rational(17, 10), sp.Eq(pair, 1)),
        (sp.Rational(7, 2), sp.Eq(pair, 2)),
        (sp.Rational(31, 10), True),
    ),
    legs=[leg("printed numbers", difference)],
    rivals=[variant("over SWAD", simulation=of_swad)],
)

LEADERS = {"6.3": "SWAD-NU", "E.6": "SWAD-MIRO"}


LEADS = {"6.3": tuple(Fraction(n, 10) for n in (2, 1, 1, 1)), "E.6": (Fraction(3, 10),)}
"""Over the next best, column by column."""


def leads(table):
    """By how much the named method leads the others' averages, and SWAD-NU on every column of Table 6.3."""
    ahead = LEADERS[table]
    others = [
        name for name in ROWS if name.startswith(f"{table} ") and not name.endswith(f" {ahead}")
    ]
    leader = ROWS[f"{table} {ahead}"]
    columns = range(len(leader)) if table == "6.3" else [-1]
    return [min(leader[c] - ROWS[other][c] for other in others) for c in columns]


def lead(table):
    return min(leads(table))


def stated_leads(table):
    return list(LEADS[table])


def stated_leads_of_e6(table):
    return [LEADS["E.6"][0]] * len(LEADS[table])


def lead_of_the_penalty(table):
    others = [name for name in ROWS if name.startswith(f"{table} ") and not name.endswith("-NU")]
    return min(ROWS[f"{table} SWAD-NU"][-1] - ROWS[other][-1] for other in others)


swad_order = claim(
    "nuclear-swad-order",
    lhs=r"\text{lead}",
    states="nuclear-domainbed-tables",
    title="Who leads among the SWAD variants",
    says="SWAD-NU leads every column of Table 6.3 by at least 0.1 points, and SWAD-MIRO the average of Table E.6.",
    covers="swad-order",
    domain={table: choices(*LEADERS)},
    grid={"smoke": {table: list(LEADERS)}},
    closed_form=sp.Rational(1, 10),
    relation=at_least(),
    legs=[
        leg("printed averages", lead),
        leg(
            "column by column",
            leads,
            reference=stated_leads,
            relation=equals(),
            unit=1,
            lhs=r"\text{leads}",
            tex=r"\text{leads as listed}",
        ),
    ],
    rivals=[
        variant("SWAD-NU leads both", simulation=lead_of_the_penalty, leg="printed averages"),
        variant("0.3 everywhere", reference=stated_leads_of_e6, leg="column by column"),
    ],
)
