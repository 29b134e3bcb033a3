"""The rule fields that distinguish the variants of a game: reading, checking and naming them.

A game's `Rules` is a frozen dataclass whose fields are bools, ints and strings; this module treats all of them alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from unshuffle.errors import UsageError, in_a_line, quote, unknown
from unshuffle.numbers import MOST, read_whole

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    R = TypeVar("R", bound=DataclassInstance)
else:
    R = TypeVar("R")

_YES = ("yes", "true", "on", "1")
_NO = ("no", "false", "off", "0")


def write_value(value: object) -> str:
    """Return a field's value as text: yes, no, 3, play."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def write_rules(rules: DataclassInstance) -> dict[str, str]:
    """Return every field of the rules as text: the form that the engine receives."""
    return {field.name: write_value(getattr(rules, field.name)) for field in fields(rules)}


def change_rules(rules: R, changes: Mapping[str, object]) -> R:
    """Return the rules with some fields changed; values may be text. UsageError names every wrong field."""
    names = [field.name for field in fields(rules)]
    faults: list[str] = []
    values: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in names:
            faults.append(str(unknown("rule", name, names)))
            continue
        try:
            values[name] = _read_value(name, value, getattr(rules, name))
        except UsageError as error:
            faults.append(str(error))
    try:
        changed = replace(rules, **values)
    except UsageError as error:
        faults.append(str(error))
    if faults:
        raise UsageError("; ".join(faults))
    return changed


def _read_value(name: str, value: object, present: object) -> object:
    """Return the value in the type of the field, which is that of its present value."""
    text = value.strip().lower() if isinstance(value, str) else None
    said = in_a_line(value)
    if isinstance(present, bool):
        if isinstance(value, bool):
            return value
        if text in _YES:
            return True
        if text in _NO:
            return False
        raise UsageError(f"{name}={said} is neither yes nor no")
    if isinstance(present, int):
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        number = None if text is None else read_whole(text)
        if number is not None:
            return number
        raise UsageError(f"{name}={said} is not a whole number 0..{MOST}")
    if not isinstance(value, str):
        raise UsageError(f"{name}={said} is not text")
    return value.strip()


def read_changes(texts: Iterable[str]) -> dict[str, str]:
    """Read KEY=VALUE texts, as on the command line and after the `+` of a variant."""
    changes: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{quote(text)} is not a rule; expected KEY=VALUE")
        if name.strip() in changes:
            raise UsageError(f"the rule {name.strip()!r} is given twice")
        changes[name.strip()] = value
    return changes


def name_variant(variants: Mapping[str, R], base: str, rules: R) -> str:
    """Return the slug of these rules, or the base's slug with the differences from it: 'one-deal+fan_size=4'."""
    for slug in (base, *variants):
        if variants[slug] == rules:
            return slug
    ours, theirs = write_rules(rules), write_rules(variants[base])
    return "+".join([base, *(f"{name}={value}" for name, value in ours.items() if value != theirs[name])])


def check_fields(rules: DataclassInstance, allowed: Mapping[str, Iterable[object]]) -> None:
    """Raise UsageError for values that a field may not have; it names every wrong field and the allowed values."""
    faults = []
    for field in fields(rules):
        value = getattr(rules, field.name)
        if field.name in allowed and not is_among(value, allowed[field.name]):
            said = in_a_line(write_value(value))
            faults.append(f"{field.name}={said} is not allowed; it may be {_list(allowed[field.name])}")
    if faults:
        raise UsageError("; ".join(faults))


def is_among(value: object, allowed: Iterable[object]) -> bool:
    """Return whether the value is one of these, and of the same type."""
    # `True == 1` in Python, but a bool is not a number here, and a number is not a bool.
    if isinstance(allowed, range):
        return type(value) is int and value in allowed  # constant time for any range
    return any(type(value) is type(good) and value == good for good in allowed)


def _list(values: Iterable[object]) -> str:
    if isinstance(values, range):
        return f"{values[0]}..{values[-1]}"
    return ", ".join(map(write_value, values))


def field_docs(rules: type) -> dict[str, str]:
    """Return the string beneath each field of a class, which Python itself does not keep."""
    # Slow imports, seldom needed.
    import ast
    import inspect
    from textwrap import dedent

    try:
        (body,) = ast.parse(dedent(inspect.getsource(rules))).body
    except (OSError, SyntaxError):
        return {}
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for node, after in zip(body.body, body.body[1:], strict=False):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(after, ast.Expr):
            docs[node.target.id] = inspect.cleandoc(str(ast.literal_eval(after.value)))
    return docs
