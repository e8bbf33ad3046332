"""Sums, products and integrals, as they are printed and as they are typed canonically."""

from __future__ import annotations

import re

from theorycheck.check.reading.atoms import Atoms
from theorycheck.check.reading.tree import (
    Apply,
    Binary,
    Chain,
    Group,
    Name,
    Node,
    Number,
    children,
)
from theorycheck.check.refusal import pairs_without_ends

_DIFFERENTIAL = re.compile(r"d([A-Za-z](?:_\w+)?)\Z", re.ASCII)

_BIG = ("Sum", "Product", "Integral")


class Repeated(Atoms):
    """The big operators."""

    def big(self, head: str) -> Node:
        return self.integral() if head == "Integral" else self.repeated(head)

    def repeated(self, head: str) -> Node:
        """``\\sum_{k=1}^{n} term``: the term reaches to the next + or -, and beyond it as long as the
        index occurs there."""
        low: Node | None = None
        high: Node | None = None
        index = second = ""
        for _ in range(2):
            if low is None and self.accept("op", "_"):
                index, low, high, second = self.below(head, high)
            elif high is None and self.accept("op", "^"):
                high = self.exponent()
        if low is None or high is None:
            raise self.refuse(f"write both ends, as in \\sum_{{k=1}}^n, or {head}(term, (k, 1, n))")
        indices = [i for i in (index, second) if i]
        self.bound += indices
        term = self.product()
        while self.next.text in ("+", "-") and not self.names.known & set(indices):
            place = self.place
            op = self.take().text
            further = self.product()
            if not any(_mentions(further, i) for i in indices):
                self.place = place
                break
            term = Binary(op, term, further)
        del self.bound[-len(indices) :]
        for i in indices:
            if (name := _sequence(term, i)) and name not in self.names.known:
                raise self.refuse(f"{name} runs with {i}; sequences of names are not read")
        after = Binary("+", Name(index), Number("1"))
        inner = [Group((Name(second), after, high))] if second else []
        return Apply(head, (term, *inner, Group((Name(index), low, high))))

    def below(self, head: str, high: Node | None) -> tuple[str, Node, Node | None, str]:
        """``k=1`` or ``1 <= k <= n`` below the sign, or ``1 <= i < j <= n``: the index, its ends, a second index."""
        braces = self.accept("open", "{") or self.accept("open", "(")
        self.nested += 1
        found = self.formula() if braces else self.atom()
        self.nested -= 1
        if braces:
            closing = self.take()
            if closing.text not in ("}", ")"):
                raise self.refuse("the range below the sign is not closed", closing)
        match found:
            case Chain((Name(index), low), ("==",)):
                return index, low, high, ""
            case Chain((low, Name(index), top), ("<=", "<=")) if high is None:
                return index, low, top, ""
            case Chain((low, Name(index), Name(second), top), ("<=", "<", "<=")) if high is None:
                return index, low, top, second
            case Chain((Name(i), Name(j)), ("<" | "<=" | "!=",)):
                raise self.refuse(pairs_without_ends(i, j, head))
        raise self.refuse(f"below the sign stands k=1; or write {head}(term, (k, 1, n))")

    def integral(self) -> Node:
        """``\\int_a^b f(x)\\,dx``."""
        low: Node | None = None
        high: Node | None = None
        for _ in range(2):
            if low is None and self.accept("op", "_"):
                low = self.argument()
            elif high is None and self.accept("op", "^"):
                high = self.exponent()
        variable = self.differential()
        if low is None or high is None or variable is None:
            raise self.refuse("write \\int_a^b f(x) dx, or Integral(f(x), (x, a, b))")
        before, self.integrals = self.integrals, (*self.integrals, f"d{variable}")
        self.bound.append(variable)
        term = self.sum()
        self.bound.pop()
        self.integrals = before
        self.expect("name", f"d{variable}")
        return Apply("Integral", (term, Group((Name(variable), low, high))))

    def differential(self) -> str | None:
        """The name behind the d of the first dx that follows at this level of integrals."""
        depth = 0
        for token in self.tokens[self.place :]:
            depth += (token.kind, token.text) == ("big", "Integral")
            match = _DIFFERENTIAL.match(token.text) if token.kind == "name" else None
            if match and token.text not in self.names.known:
                if depth == 0:
                    return match[1]
                depth -= 1
        return None

    def canonical_big(self, head: str) -> Node:
        indices = self.indices()
        self.bound += indices
        args = self.arguments()
        if indices:
            del self.bound[-len(indices) :]
        return Apply(head, args)

    def indices(self) -> list[str]:
        """The first names of the ranges ``(k, first, last)`` of the call at the place."""
        found, depth = [], 0
        for i in range(self.place, len(self.tokens) - 3):
            token = self.tokens[i]
            depth += (token.kind == "open") - (token.kind == "close")
            if depth == 0:
                break
            name = self.tokens[i + 2]
            opens = token.kind == "comma" and self.tokens[i + 1].text == "("
            if depth == 1 and opens and name.kind == "name" and self.tokens[i + 3].kind == "comma":
                found.append(name.text)
        return found


def _mentions(node: Node, name: str) -> bool:
    """Whether the name occurs, but as an index of its own."""
    match node:
        case Apply(head, (_, *ranges)) if head in _BIG:
            if any(isinstance(r, Group) and r.parts[0] == Name(name) for r in ranges):
                return any(_mentions(end, name) for r in ranges for end in children(r)[1:])
    return node == Name(name) or any(_mentions(child, name) for child in children(node))


def _sequence(node: Node, index: str) -> str:
    """A name with the index of the sum in its subscript: the terms of a sequence."""
    if isinstance(node, Name):
        _, _, below = node.text.partition("_")
        return (
            node.text if index in below.split("_") or (below.isalpha() and index in below) else ""
        )
    return next((found for child in children(node) if (found := _sequence(child, index))), "")


__all__ = ["Repeated"]
