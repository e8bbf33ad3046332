"""From tokens to the tree of a statement: precedence, chains, congruences, implied products."""

from __future__ import annotations

from theorycheck.check.reading.choices import Choices
from theorycheck.check.reading.names import Names
from theorycheck.check.reading.repeated import Repeated
from theorycheck.check.reading.signs import Token
from theorycheck.check.reading.tree import (
    STATEMENTS,
    Apply,
    Binary,
    Chain,
    Junction,
    Minus,
    Node,
    Number,
    children,
)
from theorycheck.check.vocabulary import PREDICATES

_RELATIONS = ("==", "!=", "<=", ">=", "<", ">", "≡", "=>", "~")
_CANONICAL = {"≡": "=="}
_ADDING, _MULTIPLYING = ("+", "-"), ("*", "/", "//", "%")


class Parser(Repeated):
    """One reading of a list of tokens; where there are several, ``choices`` says which."""

    def statement(self) -> Node:
        """The whole text as one formula or number.

        Raises:
            InputError: at the first token that does not belong.
        """
        found = self.formula()
        if self.next.kind != "end":
            if (self.next.kind, self.next.text) == ("op", "_"):
                raise self.refuse("a subscript stands right behind its name, before a power")
            raise self.refuse(f"{self.next.text!r} does not belong here")
        return found

    def listed(self) -> Node:
        """``a > 0, b > 0`` outside of brackets says both; a comma binds tighter than an arrow."""
        parts = [self.joined("or")]
        while not self.nested and self.next.kind == "comma" and is_statement(parts[-1]):
            self.take()
            self.commas = True
            parts.append(self.joined("or"))
        return parts[0] if len(parts) == 1 else Junction("and", tuple(parts))

    # ------------------------------------------------------------ truth values

    def formula(self) -> Node:
        """``iff`` binds weakest, then ``implies`` (to the right), ``or``, ``and``, ``not``."""
        with self.deeper():
            left = self.implication()
            while self.accept("op", "iff"):
                right = self.implication()
                self.both(left, right)
                forth, back = (Junction("implies", p) for p in ((left, right), (right, left)))
                left = Junction("and", (forth, back))
            return left

    def implication(self) -> Node:
        left = self.listed()
        if self.next.kind == "op" and self.next.text in ("implies", "=>"):
            self.take()
            right = self.implication()
            self.both(left, right)
            if isinstance(right, Junction) and right.kind == "implies" and self.commas:
                raise self.refuse("arrows and commas together; put brackets")
            return Junction("implies", (left, right))
        return left

    def both(self, *parts: Node) -> None:
        for part in parts:
            if not is_statement(part):
                raise self.refuse("both sides of an implication are statements")

    def joined(self, word: str) -> Node:
        parts = [self.joined("and") if word == "or" else self.negation()]
        while self.accept("op", word):
            parts.append(self.joined("and") if word == "or" else self.negation())
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def negation(self) -> Node:
        with self.deeper():
            if self.accept("op", "not"):
                return Junction("not", (self.negation(),))
            if self.next.text == "implies" and self.ahead(1).text == "(":
                return self.canonical_implication()
            return self.chain()

    def canonical_implication(self) -> Node:
        """``implies(A, B)``."""
        self.take()
        parts = self.arguments()
        if len(parts) != 2:
            raise self.refuse("implies(A, B) has two parts")
        self.both(*parts)
        return Junction("implies", parts)

    def chain(self) -> Node:
        parts = [self.remainder()]
        ops: list[str] = []
        while self.next.kind == "op" and self.next.text in _RELATIONS:
            if self.next.text == "=>":
                if is_statement(parts[0]) or ops:
                    break  # an arrow between statements
                self.take()
                ops.append(">=")  # between numbers people mean at least
            else:
                text = self.take().text
                ops.append(_CANONICAL.get(text, text))
            parts.append(self.remainder())
        if self.next.kind == "bar" and self.bar() == "divides":
            return self.divides(parts, ops)
        if self.next.kind == "op" and self.next.text == "divides":
            return self.divides(parts, ops)
        if not ops:
            return parts[0]
        return self.congruence(parts, ops)

    def divides(self, parts: list[Node], ops: list[str]) -> Node:
        self.take()
        right = self.remainder()
        if ops or is_statement(right) or is_statement(parts[0]):
            raise self.refuse("d | n stands by itself")
        return Apply("divides", (parts[0], right))

    def congruence(self, parts: list[Node], ops: list[str]) -> Node:
        modulus = self.modulus()
        last = parts[-1]
        one = modulus is None and ops == ["=="] and not _has(parts[0], "mod")
        if one and isinstance(last, Apply) and last.name == "mod":
            parts[-1], modulus = last.args
        if modulus is None:
            return Chain(tuple(parts), tuple(ops))
        if set(ops) != {"=="} or len(parts) != 2:
            raise self.refuse("a congruence is a == b mod m, two sides and one modulus")
        left, right = parts
        difference = left if right == Number("0") else Binary("-", left, right)
        return Chain((Apply("Mod", (difference, modulus)), Number("0")), ("==",))

    def modulus(self) -> Node | None:
        """``(mod m)`` or ``\\pmod{m}`` behind a congruence."""
        if self.accept("op", "pmod"):
            return self.argument()
        if self.next.text == "(" and self.ahead(1).text == "mod":
            self.take()
            self.take()
            found = self.sum()
            self.expect("close", ")")
            return found
        return None

    # ------------------------------------------------------------ numbers

    def remainder(self) -> Node:
        """``a mod m``: of a sum, or of its last term only; both where that is open."""
        left = self.sum()
        while self.next.kind == "op" and self.next.text == "mod":
            token = self.take()
            right = self.product()
            is_sum = isinstance(left, Binary) and left.op in _ADDING and not self.was_group(left)
            if is_sum and isinstance(left, Binary) and self.choices.among(2, token.column):
                left = Binary(left.op, left.left, Apply("mod", (left.right, right)))
            else:
                left = Apply("mod", (left, right))
        return left

    def sum(self) -> Node:
        left = self.product()
        while self.next.kind == "op" and self.next.text in _ADDING:
            op = self.take().text
            left = Binary(op, left, self.product())
        return left

    def product(self) -> Node:
        left = self.factor()
        while True:
            if self.next.kind == "op" and self.next.text in _MULTIPLYING:
                token = self.take()
                left = (
                    self.quotient(left, token)
                    if token.text == "/"
                    else Binary(token.text, left, self.factor())
                )
            elif self.begins_factor():
                left = Binary("*", left, self.power())
            else:
                return left

    def quotient(self, left: Node, slash: Token) -> Node:
        """``a/b``; what is written close behind b, as in 1/2x, belongs to it or not."""
        below = self.factor()
        if not self.begins_factor():
            return Binary("/", left, below)
        if self.choices.among(2, slash.column):
            return Binary("/", left, below)
        while self.begins_factor():
            below = Binary("*", below, self.power())
        return Binary("/", left, below)

    def factor(self) -> Node:
        with self.deeper():
            if self.accept("op", "-"):
                return Minus(self.factor())
            if self.accept("op", "+"):
                return self.factor()
            return self.power()

    def power(self) -> Node:
        base = self.postfix()
        if not (self.next.kind == "op" and self.next.text == "^"):
            return base
        self.take()
        exponent = self.exponent()
        return Binary("**", base, exponent)

    def exponent(self) -> Node:
        if self.latex:
            if self.next.text in ("*", "'") or self.next.kind == "end":
                raise self.refuse("this superscript is no power; write it as a subscript")
            if self.next.text == "{" and self.ahead(1).text == "(":
                self.no_index()
            if self.next.text in ("-", "+"):
                raise self.refuse("this superscript is no power; write it as a subscript, or ^{-1}")
            return self.argument()
        with self.deeper():
            if self.accept("op", "-"):
                return Minus(self.exponent())
            token = self.next
            if token.kind == "name" and self.split_name(token):
                return self.exponent_of_split(token)
            return self.power()

    def exponent_of_split(self, token: Token) -> Node:
        """2^nk, where nk is no name but n and k are: 2^(n k) or 2^n k."""
        count = self.split(token)
        found = self.power()
        if self.choices.among(2, token.column) == 0:
            for _ in range(count - 1):
                found = Binary("*", found, self.power())
        return found

    def no_index(self) -> None:
        """In LaTeX w^{(t)} has an index there, no power."""
        depth, k = 0, 1
        while self.ahead(k).kind != "end":
            depth += (self.ahead(k).text == "(") - (self.ahead(k).text == ")")
            k += 1
            if depth == 0:
                break
        if self.ahead(k).text == "}":
            raise self.refuse("a superscript in brackets is an index; write it as a subscript")


def is_statement(node: Node) -> bool:
    """Whether the node is true or false, not a number."""
    return isinstance(node, STATEMENTS) or (isinstance(node, Apply) and node.name in PREDICATES)


def _has(node: Node, name: str) -> bool:
    if isinstance(node, Apply) and node.name == name:
        return True
    return any(_has(child, name) for child in children(node))


def parse(
    source: str, what: str, tokens: list[Token], names: Names, latex: bool, choices: Choices
) -> tuple[Node, tuple[str, ...]]:
    """One reading of the tokens as a statement or number, and what is to be said of it."""
    parser = Parser(source, what, tokens, names, latex, choices)
    return parser.statement(), tuple(parser.notes)


__all__ = ["is_statement", "parse"]
