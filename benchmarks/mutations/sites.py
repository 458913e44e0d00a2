"""Finds the places of a source in which one operator, constant or condition can be changed."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
_COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"),
}
_JOINED: dict[type[ast.boolop], tuple[str, str]] = {
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}


class Site(NamedTuple):
    """A place: the characters from ``start`` to ``end`` of the source become ``new``."""

    line: int
    start: int
    end: int
    old: str
    new: str

    def applied(self, source: str) -> str:
        """Return the source with this change."""
        return source[: self.start] + self.new + source[self.end :]


def sites_of(source: str) -> list[Site]:
    """Return all places of a module that can be changed, in the order in which they stand.

    Types, texts and what only type checkers read are left as they are: no test can tell.
    """
    return sorted(set(_Finder(source).found()), key=lambda site: (site.start, site.end, site.new))


class _Finder:
    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = source.split("\n")
        self._starts = [0, *itertools.accumulate(len(line) + 1 for line in self._lines)]

    def found(self) -> Iterator[Site]:
        yield from self._below(ast.parse(self._source))

    def _below(self, node: ast.AST) -> Iterator[Site]:
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "type_comment", "type_params"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_for_type_checkers(child):
                    yield from self._at(child)
                    yield from self._below(child)

    def _at(self, node: ast.AST) -> Iterator[Site]:
        match node:
            case ast.Compare() | ast.BinOp() | ast.BoolOp():
                yield from self._operators(node)
            case ast.UnaryOp(op=ast.Not()):
                yield self._whole(node, f"bool({self._text(node.operand)})")
            case ast.If() | ast.While() | ast.IfExp():
                yield self._turned(node.test)
            case ast.comprehension():
                yield from map(self._turned, node.ifs)
            case ast.Constant(value=bool(value)):
                yield self._whole(node, str(not value))
            case ast.Constant(value=int(value)):
                yield self._whole(node, str(value + 1))
            case ast.Constant(value=float(value)):
                yield self._whole(node, repr(value * 2 or 1.0))
            case _:
                return

    def _operators(self, node: ast.Compare | ast.BinOp | ast.BoolOp) -> Iterator[Site]:
        match node:
            case ast.Compare():
                ends = [node.left, *node.comparators]
                for (left, right), op in zip(itertools.pairwise(ends), node.ops, strict=True):
                    yield from self._between(left, right, _COMPARED[type(op)])
            case ast.BoolOp():
                for left, right in itertools.pairwise(node.values):
                    yield from self._between(left, right, _JOINED[type(node.op)])
            case ast.BinOp() if type(node.op) in _COMPUTED and not _is_about_words(node):
                yield from self._between(node.left, node.right, _COMPUTED[type(node.op)])

    def _between(self, left: ast.expr, right: ast.expr, change: tuple[str, str]) -> Iterator[Site]:
        start, end = self._place(left)[1], self._place(right)[0]
        pattern, new = change
        words = pattern if pattern[0] in "\\<>=!-/%&" else rf"\b{pattern}\b"
        operator = re.search(words, self._source[start:end])
        if operator:  # else a comment stands between
            at = start + operator.start()
            yield Site(left.lineno, at, at + len(operator[0]), operator[0], new)

    def _whole(self, node: ast.expr, new: str) -> Site:
        start, end = self._place(node)
        return Site(node.lineno, start, end, self._source[start:end], new)

    def _turned(self, test: ast.expr) -> Site:
        return self._whole(test, f"not ({self._text(test)})")

    def _text(self, node: ast.expr) -> str:
        start, end = self._place(node)
        return self._source[start:end]

    def _place(self, node: ast.expr) -> tuple[int, int]:
        """Return where an expression begins and ends, in characters; ``ast`` counts bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._character(node.lineno, node.col_offset),
            self._character(node.end_lineno, node.end_col_offset),
        )

    def _character(self, line: int, byte: int) -> int:
        before = self._lines[line - 1].encode()[:byte].decode()
        return self._starts[line - 1] + len(before)


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _is_about_words(node: ast.BinOp) -> bool:
    """Return whether an operator joins texts, lists, or types as in ``int | None``."""
    return any(
        isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes | None))
        or (isinstance(node.op, ast.BitOr) and _is_type(side))
        for side in (node.left, node.right)
    )


def _is_type(node: ast.expr) -> bool:
    return ast.unparse(node).rpartition(".")[2].lstrip("_")[:1].isupper()
