"""The smallest parts of a statement: numbers, names, functions, brackets of all kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod

from theorycheck.check.reading.choices import Choices
from theorycheck.check.reading.names import BRACKETS, Names, constant, is_function, splits
from theorycheck.check.reading.signs import Token
from theorycheck.check.reading.stream import TokenStream
from theorycheck.check.reading.tree import (
    STATEMENTS,
    Apply,
    Binary,
    Bracket,
    Group,
    Minus,
    Name,
    Node,
    Number,
)

_INVERSES = {
    "sin": "asin",
    "cos": "acos",
    "tan": "atan",
    "sinh": "asinh",
    "cosh": "acosh",
    "tanh": "atanh",
    "erf": "erfinv",
    "erfc": "erfcinv",
}
_CLOSING = {"(": ")", "[": "]", "\\{": "\\}", "{": "}", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩"}
_LOGS = ("log", "ln")


class Atoms(TokenStream, ABC):
    """Atoms and what hangs on them; `Parser` adds operators and truth values."""

    def __init__(
        self,
        source: str,
        what: str,
        tokens: list[Token],
        names: Names,
        latex: bool,
        choices: Choices,
    ) -> None:
        super().__init__(source, what, tokens, names, latex, choices)
        self.open_bars = self.open_norms = 0
        self.inside = 0  # how many E[...] and P[...] stand around the place
        self.integrals: tuple[str, ...] = ()  # dx of the integrals around the place
        self.roles: dict[int, str] = {}  # of the bars behind a number, by column
        self.grouped: list[Node] = []  # what stood in brackets
        self.nested = 0  # brackets around the place
        self.commas = False  # whether a comma joined statements

    @abstractmethod
    def formula(self) -> Node:
        """A statement or a number."""

    @abstractmethod
    def sum(self) -> Node:
        """A number."""

    @abstractmethod
    def product(self) -> Node:
        """A number without + and - outside of brackets."""

    @abstractmethod
    def power(self) -> Node:
        """An atom with its exponent."""

    @abstractmethod
    def exponent(self) -> Node:
        """What stands behind ``^``."""

    @abstractmethod
    def big(self, head: str) -> Node:
        """A sum, product or integral with its sign taken."""

    @abstractmethod
    def canonical_big(self, head: str) -> Node:
        """``Sum(term, (k, 1, n))`` with its head taken."""

    # ------------------------------------------------------------ what may follow

    def begins_factor(self) -> bool:
        """Whether the next token begins a factor of an implied product."""
        token = self.next
        if token.kind == "bar":
            return self.bar() == "open"
        if token.kind == "norm":
            return self.open_norms == 0
        if token.kind == "open":
            if self.ahead(1).text == "mod":
                return False  # (mod m) ends a congruence
            return token.text in "(⌊⌈⟨" or (token.text in ("{", "[", "\\{") and self.latex)
        if token.kind == "name":
            return not (self.integrals and token.text in self.integrals)
        return token.kind in ("frac", "root", "binom", "big", "accent")

    def bar(self) -> str:
        """What the bar at the place does behind a number: open, close, or divides."""
        column = self.next.column
        if column in self.roles:
            return self.roles[column]
        after = self.ahead(1)
        factor_follows = after.kind not in ("op", "close", "comma", "end") or after.text in "-+"
        options = ["close"] if self.open_bars else []
        if factor_follows and not self.open_bars and not self.inside:
            options.append("divides")
        if factor_follows and after.text not in ("-", "+"):
            options.append("open")
        if not options:
            conditional = "conditional expectations are not read"
            raise self.refuse(
                conditional if self.inside else "this bar closes nothing; write abs(x)"
            )
        chosen = (
            options[0] if len(options) == 1 else options[self.choices.among(len(options), column)]
        )
        self.roles[column] = chosen
        return chosen

    # ------------------------------------------------------------ atoms

    def postfix(self) -> Node:
        """An atom with its factorials."""
        found = self.atom()
        while self.next.kind == "op" and self.next.text in ("!", "!!"):
            name = "factorial" if self.take().text == "!" else "factorial2"
            found = Apply(name, (found,))
        return found

    def atom(self) -> Node:
        token = self.next
        match token.kind:
            case "number":
                self.take()
                top, slash, bottom = token.text.partition("/")
                return Binary("/", Number(top), Number(bottom)) if slash else Number(token.text)
            case "name":
                return self.name()
            case "bar":
                return self.absolute()
            case "norm":
                self.take()
                return self.norm("norm")
            case "open":
                return self.bracketed()
            case "frac":
                self.take()
                above = self.argument()
                return self.group(Binary("/", above, self.argument()))
            case "binom":
                self.take()
                above = self.argument()
                return Apply("binomial", (above, self.argument()))
            case "root":
                self.take()
                return self.root(token)
            case "big":
                self.take()
                return self.big(token.text)
            case "accent":
                return self.accented()
        if token.kind == "end":
            raise self.refuse("something is missing here")
        raise self.refuse(f"a number or a name is expected, not {token.text!r}")

    def number_inside(self) -> Node:
        """A number in brackets."""
        found = self.formula()
        if isinstance(found, STATEMENTS):
            raise self.refuse("a truth value stands where a number is expected")
        return found

    def bracketed(self) -> Node:
        token = self.take()
        if token.text not in _CLOSING:
            raise self.refuse("this bracket begins nothing", token)
        if token.text in ("{", "[", "\\{") and not self.latex:
            raise self.refuse(
                f"{'a set' if token.text == '{' else 'a list'} is not allowed; brackets are ( )",
                token,
            )
        bars, self.open_bars = self.open_bars, 0
        norms, self.open_norms = self.open_norms, 0
        self.nested += 1
        first = self.formula()
        parts = [first]
        while token.text in "(⟨" and self.next.kind == "comma":
            self.take()
            parts.append(self.formula())
        self.nested -= 1
        self.expect("close", _CLOSING[token.text])
        self.open_bars, self.open_norms = bars, norms
        if token.text in "⌊⌈":
            return Apply("floor" if token.text == "⌊" else "ceiling", (first,))
        if token.text == "⟨":
            return Apply("dot", tuple(parts))
        return Group(tuple(parts)) if len(parts) > 1 else self.group(first)

    def group(self, node: Node) -> Node:
        """Remember that the node stood in brackets, so that a mod b does not reach into it."""
        self.grouped.append(node)
        return node

    def was_group(self, node: Node) -> bool:
        return any(node is g for g in self.grouped)

    def absolute(self) -> Node:
        token = self.take()
        if self.next.kind == "bar" and self.choices.among(2, token.column) == 0:
            self.take()
            return self.norm("bar")
        self.open_bars += 1
        found = self.number_inside()
        if self.next.kind != "bar" or self.bar() != "close":
            conditional = "; conditional expectations are not read" if self.inside else ""
            raise self.refuse(f"a bar | is not closed{conditional}")
        self.take()
        self.open_bars -= 1
        return Apply("Abs", (found,))

    def norm(self, kind: str) -> Node:
        """``‖x‖`` or ``||x||``, perhaps with an index behind it."""
        self.open_norms += kind == "norm"
        self.open_bars += kind == "bar"
        found = self.number_inside()
        for _ in range(1 if kind == "norm" else 2):
            if self.next.kind != kind or (kind == "bar" and self.bar() != "close"):
                raise self.refuse("a norm is not closed")
            self.take()
        self.open_norms -= kind == "norm"
        self.open_bars -= kind == "bar"
        if self.accept("op", "_"):
            return Apply("norm", (found, self.argument()))
        return Apply("norm", (found,))

    def root(self, token: Token) -> Node:
        degree: Node = Number(token.text or "2")
        if not token.text and self.next.text == "[":
            self.take()
            degree = self.sum()
            self.expect("close", "]")
        if token.text and self.next.kind == "number" and self._close_factor():
            # √2n is the root of 2n or of 2.
            first = self.atom()
            if self.choices.among(2, token.column):
                return _rooted(first, degree)
            while self.begins_factor():
                first = Binary("*", first, self.power())
            return _rooted(first, degree)
        inside = self.argument() if not token.text else self.postfix()
        return _rooted(inside, degree)

    def _close_factor(self) -> bool:
        after = self.ahead(1)
        return after.kind == "name" and after.column == self.next.column + len(self.next.text)

    def argument(self) -> Node:
        """What TeX takes as an argument: a group in braces, or one character or command."""
        if self.next.text == "{":
            self.take()
            self.nested += 1
            found = self.formula()
            self.nested -= 1
            self.expect("close", "}")
            return self.group(found)
        if self.accept("op", "-"):
            return Minus(self.argument())
        if self.latex:
            self.first_only()
        return self.atom()

    def accented(self) -> Node:
        """``\\hat p`` is a name of its own, p_hat."""
        token = self.take()
        braces = self.accept("open", "{")
        name = self.take()
        if name.kind != "name" or name.symbol:
            raise self.refuse("an accent stands on one letter", name)
        if braces:
            self.expect("close", "}")
        return Name(f"{name.text}_{token.text}")

    # ------------------------------------------------------------ names

    def name(self) -> Node:
        token = self.next
        word = token.text
        if (member := self.member(token)) is not None:
            return member
        if word in self.bound or (word in self.names.known and not token.symbol):
            self.take()
            return self.known(token)
        if not token.plain:
            found = self.special(token)
            if found is not None:
                return found
        if not token.plain and (self.split_name(token)):
            self.split(token)
            return self.name()
        self.take()
        if self.next.text == "(":
            return self.call(word)
        return Name(word)

    def member(self, token: Token) -> Node | None:
        """``f[j]``, or ``f_j`` with an index that is known, of a declared family."""
        if token.text in self.names.families and self.ahead(1).text == "[":
            self.take()
            self.take()
            self.nested += 1
            index = self.sum()
            self.nested -= 1
            self.expect("close", "]")
            return Bracket(token.text, index)
        head, _, below = token.text.partition("_")
        if head not in self.names.families or token.text in self.names.known:
            return None
        if not (below.isdigit() or below in self.bound or below in self.names.declared):
            return None
        self.take()
        return Bracket(head, Number(below) if below.isdigit() else Name(below))

    def known(self, token: Token) -> Node:
        """A declared name; it wins over a function or constant of its name."""
        word = token.text
        if word in self.names.random and not self.inside:
            raise self.refuse(f"{word} is random; it stands inside E[...] or P[...]", token)
        if is_function(word) or constant(word):
            self.note(f"{word} is the declared name")
        return Name(word)

    def special(self, token: Token) -> Node | None:
        """Functions, expectations and constants, by name; None for other words."""
        word = token.text
        if word in BRACKETS and (found := self.expectation(token)) is not None:
            return found
        head, _, base = word.partition("_")
        if head in _LOGS and base and not is_function(word):
            self.take()
            return self.function("log", base=Number(base) if base.isdigit() else Name(base))
        if word in ("Sum", "Product", "Integral") and self.ahead(1).text == "(":
            self.take()
            return self.canonical_big(word)
        if word in ("sum", "prod", "product") and self.ahead(1).text == "_":
            self.take()
            return self.big("Sum" if word == "sum" else "Product")
        if is_function(word) or (word == "Piecewise" and self.ahead(1).text == "("):
            self.take()
            return self.function(word)
        value = constant(word)
        if word == "E" and self.latex:
            raise self.refuse("E is no number in a display; write E[x] or e", token)
        if value is not None:
            self.take()
            if word == "e":
                self.note("e is Euler's number")
            return Name(value)
        return None

    def split_name(self, token: Token) -> list[tuple[str, ...]]:
        """The products that a run of letters can be read as."""
        if token.kind != "name" or token.plain or token.symbol or token.text in self.bound:
            return []
        if token.text in self.names.known or is_function(token.text) or constant(token.text):
            return []
        return splits(token.text, self.names.known | frozenset(self.bound), self.latex)

    def split(self, token: Token) -> int:
        """Put the factors in the place of the token; how many there are."""
        ways = self.split_name(token)
        way = ways[self.choices.among(len(ways), token.column)]
        column, parts = token.column, []
        for piece in way:
            parts.append(Token("name", piece, column))
            column += len(piece)
        self.tokens[self.place : self.place + 1] = parts
        return len(parts)

    def expectation(self, token: Token) -> Node | None:
        """``E[...]``, ``P[...]``; in LaTeX also in round brackets, or before a single factor."""
        head, after = BRACKETS[token.text], self.ahead(1)
        if after.text == "_" and token.symbol:
            raise self.refuse('give the law apart, as in --with "g ~ N(0, 1)"', token)
        if after.text == "[" or (token.symbol and after.text in ("\\{", "{")):
            self.take()
            return self.bracket(head)
        if after.text == "(":
            return self.round_bracket(head, token)
        if token.symbol and head == "E" and token.text == "E" and after.kind != "op":
            self.take()
            self.inside += 1
            body = self.power()
            while self.begins_factor():
                body = Binary("*", body, self.power())
            self.inside -= 1
            return Bracket(head, body)
        return None

    def round_bracket(self, head: str, token: Token) -> Node | None:
        """P(g > t) is a probability; E(g) an expectation where laws are given, or E times g."""
        if (
            head == "E"
            and not token.symbol
            and not (self.names.random and self.choices.among(2, token.column) == 0)
        ):
            return None
        if head != "E" and not self.names.random and not token.symbol:
            return None
        self.take()
        return self.bracket(head)

    def bracket(self, head: str) -> Node:
        opening = self.take()
        bars, self.open_bars = self.open_bars, 0
        self.inside += 1
        self.nested += 1
        body = self.formula()
        parts = [body]
        while self.next.kind == "comma":
            self.take()
            parts.append(self.formula())
        self.nested -= 1
        self.inside -= 1
        self.expect("close", _CLOSING[opening.text])
        self.open_bars = bars
        if (head == "P") != isinstance(body, STATEMENTS):
            wanted = "a statement" if head == "P" else "a number"
            raise self.refuse(f"{head}[...] is of {wanted}", opening)
        if head == "Cov":
            return Bracket(head, Group(tuple(parts)))
        if len(parts) > 1:
            raise self.refuse(f"{head}[...] takes one part", opening)
        return Bracket(head, body)

    # ------------------------------------------------------------ functions

    def function(self, word: str, base: Node | None = None) -> Node:
        """A function with what stands behind its name: index, exponent, arguments."""
        if word in _LOGS and base is None and self.accept("op", "_"):
            base = self.argument()
        power: Node | None = None
        if self.next.kind == "op" and self.next.text == "^":
            column = self.take().column
            power = self.exponent()
            if (
                power == Minus(Number("1"))
                and word in _INVERSES
                and (self.choices.among(2, column) == 0)
            ):
                word, power = _INVERSES[word], None
        found = self.applied(word, base)
        return found if power is None else Binary("**", self.group(found), power)

    def applied(self, word: str, base: Node | None) -> Node:
        after = self.next
        if after.text == "(" or (self.latex and after.text in ("[", "\\{", "{")):
            args = self.arguments()
        elif after.kind in ("op", "close", "comma", "end") or word == "Piecewise":
            return Name(word)  # refused by the scanner, which says how it is called
        else:
            args = (self.bare(),)
        if base is not None:
            args = (*args, base)
        return Apply("log" if base is not None else word, args)

    def call(self, word: str) -> Node:
        return Apply(word, self.arguments())

    def arguments(self) -> tuple[Node, ...]:
        opening = self.take()
        bars, self.open_bars = self.open_bars, 0
        norms, self.open_norms = self.open_norms, 0
        args: list[Node] = []
        self.nested += 1
        if not (self.next.kind == "close" and self.next.text == _CLOSING[opening.text]):
            args.append(self.formula())
            while self.next.kind == "comma":
                self.take()
                args.append(self.formula())
        self.nested -= 1
        self.expect("close", _CLOSING[opening.text])
        self.open_bars, self.open_norms = bars, norms
        return tuple(args)

    def bare(self) -> Node:
        """The argument of a function without brackets: factors up to the next sign or function."""
        found = self.power()
        while self.begins_factor():
            token = self.next
            if (
                token.kind == "name"
                and not token.plain
                and token.text not in self.names.known
                and (is_function(token.text) or token.text in BRACKETS)
            ):
                break
            if token.kind in ("bar", "norm", "big"):
                break
            if token.kind in ("open", "frac") and self.choices.among(2, token.column):
                break
            found = Binary("*", found, self.power())
        return found


def _rooted(inside: Node, degree: Node) -> Node:
    if degree == Number("2"):
        return Apply("sqrt", (inside,))
    return Apply("cbrt", (inside,)) if degree == Number("3") else Apply("root", (inside, degree))


__all__ = ["Atoms"]
