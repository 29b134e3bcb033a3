"""Known faults of packages and crates, and the file that keeps them: tools/advisories.json.

A fault has intervals of releases, as in the records of OSV (https://ossf.github.io/osv-schema/), and every fact has its
source and the date that stood there. tools/audit.py holds against it what is used.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from packaging.utils import canonicalize_name
from packaging.version import Version

from unshuffle.files import whole_file

FORMAT = 1

Ecosystem = Literal["PyPI", "crates.io"]


class AuditError(Exception):
    """Why it cannot be told whether there are known faults."""


# Versions.


def read_version(ecosystem: Ecosystem, text: str) -> Any:
    """A version as something to compare with others of its ecosystem; ValueError if it is none."""
    if ecosystem == "PyPI":
        # A build for one processor ("2.12.0+cpu") has the faults of the release.
        return Version(Version(text).public)
    return read_semver(text)


def is_version(ecosystem: Ecosystem, text: str) -> bool:
    """Whether it is one."""
    try:
        read_version(ecosystem, text)
    except ValueError:
        return False
    return True


def read_semver(text: str) -> tuple[Any, ...]:
    """By semver.org: numbers, then a pre-release that comes before them; what stands behind a plus sign is no part."""
    found = re.fullmatch(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?", text)
    if found is None:
        raise ValueError(f"{text!r} is no version of a crate")
    numbers = tuple(int(number or 0) for number in found.group(1, 2, 3))
    parts = found[4].split(".") if found[4] else []
    # Of the parts of a pre-release, numbers come before words.
    return *numbers, not parts, tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


@dataclass(frozen=True, slots=True)
class Interval:
    """Releases with a fault: from the one that brought it to before the one without, or to the last that has it."""

    introduced: str = "0"
    fixed: str | None = None
    last_affected: str | None = None

    def has(self, ecosystem: Ecosystem, version: str) -> bool:
        """Whether this version is one of them."""
        at = read_version(ecosystem, version)
        return (
            (self.introduced == "0" or read_version(ecosystem, self.introduced) <= at)
            and (self.fixed is None or at < read_version(ecosystem, self.fixed))
            and (self.last_affected is None or at <= read_version(ecosystem, self.last_affected))
        )


def intervals(ecosystem: Ecosystem, events: Iterable[dict[str, str]]) -> Iterator[Interval]:
    """What the events of an OSV record mean: they stand in any order, and each holds until the next by version."""
    known = [(kind, text) for event in events for kind, text in event.items() if kind in _ORDER]
    start: str | None = None
    for kind, text in sorted(known, key=lambda one: _place(ecosystem, *one)):
        if kind == "introduced":
            start = text if start is None else start
        elif start is not None:
            yield Interval(start, **{kind: text})
            start = None
    if start is not None:
        yield Interval(start)


# At one version: what ends an interval before it comes before what begins one at it.
_ORDER = {"fixed": 0, "introduced": 1, "last_affected": 2}


def _place(ecosystem: Ecosystem, kind: str, text: str) -> tuple[Any, ...]:
    if text == "0":
        return (0,)
    return 1, read_version(ecosystem, text), _ORDER[kind]


# The snapshot.


@dataclass(frozen=True, slots=True)
class Source:
    """Where something was read, and the date that stood there."""

    where: str
    as_of: str


@dataclass(frozen=True, slots=True)
class Advisory:
    """A known fault of a package."""

    id: str
    ecosystem: Ecosystem
    package: str
    summary: str
    sources: tuple[Source, ...]
    ranges: tuple[Interval, ...] = ()
    versions: tuple[str, ...] = ()
    """Releases that have it, where the source counts them one by one."""
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """All the names of the fault."""
        return frozenset((self.id, *self.aliases))

    def hits(self, version: str) -> Interval | None:
        """The releases with the fault among which this version is."""
        for interval in self.ranges:
            if interval.has(self.ecosystem, version):
                return interval
        return Interval(version, last_affected=version) if version in self.versions else None


@dataclass(frozen=True, slots=True)
class Allowance:
    """A fault that does not concern us, and why."""

    id: str
    ecosystem: Ecosystem
    package: str
    reason: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is known, of which packages it was asked and when, and what does not concern us."""

    advisories: tuple[Advisory, ...]
    looked_up: dict[Ecosystem, dict[str, str]]
    allowed: tuple[Allowance, ...] = ()

    @property
    def newest(self) -> str:
        """The date of the newest source."""
        return max((source.as_of for one in self.advisories for source in one.sources), default="never")


def load(path: Path) -> Snapshot:
    """The snapshot in a file; AuditError names what is wrong with it, and where."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AuditError(f"{path.name} cannot be read: {error}") from None
    try:
        return _read_snapshot(told)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise AuditError(f"{path.name} is damaged: {_why(error)}") from None


def _read_snapshot(told: Any) -> Snapshot:
    _expect(isinstance(told, dict) and told.get("format") == FORMAT, f"it is not of format {FORMAT}")
    advisories = []
    for number, record in enumerate(told["advisories"], 1):
        try:
            advisories.append(_read_advisory(record))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            name = record.get("id") if isinstance(record, dict) else None
            raise ValueError(f"advisory {number} ({name}): {_why(error)}") from None
    keys = [(one.ecosystem, one.package, one.id) for one in advisories]
    twice = [key for number, key in enumerate(keys) if key in keys[:number]]
    _expect(not twice, f"these are there twice: {twice}")
    looked_up = {
        _ecosystem(ecosystem): {_named(ecosystem, name): read_date(date) for name, date in packages.items()}
        for ecosystem, packages in told["looked_up"].items()
    }
    allowed = []
    for record in told["allowed"]:
        one = Allowance(
            id=_text(record, "id"),
            ecosystem=_ecosystem(record["ecosystem"]),
            package=_text(record, "package"),
            reason=_text(record, "reason"),
        )
        known = {name for fault in advisories if fault.package == one.package for name in fault.names}
        _expect(one.id in known, f"allowed: no {one.id} of {one.package} is known")
        allowed.append(one)
    return Snapshot(tuple(advisories), looked_up, tuple(allowed))


def _read_advisory(record: dict[str, Any]) -> Advisory:
    ecosystem = _ecosystem(record["ecosystem"])
    ranges = tuple(Interval(**interval) for interval in record.get("ranges", ()))
    versions = tuple(record.get("versions", ()))
    _expect(bool(ranges or versions), "it says of no release that it has the fault")
    for interval in ranges:
        ends = [end for end in (interval.fixed, interval.last_affected) if end is not None]
        _expect(len(ends) < 2, "an interval ends either before 'fixed' or with 'last_affected'")
        for text in (interval.introduced, *ends):
            read_version(ecosystem, text)
        if ends and interval.introduced != "0":
            start, end = (read_version(ecosystem, text) for text in (interval.introduced, ends[0]))
            _expect(start < end or (start == end and interval.fixed is None), f"it ends before {interval.introduced}")
    for text in versions:
        read_version(ecosystem, text)
    sources = tuple(Source(_text(one, "from"), read_date(one["as_of"])) for one in record["sources"])
    _expect(bool(sources), "it names no source")
    return Advisory(
        id=_text(record, "id"),
        ecosystem=ecosystem,
        package=_named(ecosystem, _text(record, "package")),
        summary=_text(record, "summary"),
        sources=sources,
        ranges=ranges,
        versions=versions,
        aliases=tuple(record.get("aliases", ())),
    )


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _why(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)


def _ecosystem(text: str) -> Ecosystem:
    for known in get_args(Ecosystem):
        if text == known:
            return cast(Ecosystem, known)
    raise ValueError(f"{text!r} is no ecosystem that we know")


def _text(record: dict[str, Any], key: str) -> str:
    text = record[key]
    _expect(isinstance(text, str) and bool(text.strip()), f"{key!r} says nothing: {text!r}")
    return str(text)


def _named(ecosystem: str, name: str) -> str:
    _expect(
        ecosystem != "PyPI" or name == canonicalize_name(name), f"{name!r} is not written as {canonicalize_name(name)}"
    )
    return name


def read_date(text: str) -> str:
    """A day as it is written everywhere here; ValueError if it is none."""
    return datetime.date.fromisoformat(text).isoformat()


def save(snapshot: Snapshot, path: Path) -> None:
    """Write the snapshot, a line for each fault; the file is the old one until the new one is whole."""
    faults = sorted(snapshot.advisories, key=lambda one: (one.ecosystem, one.package, one.id))
    parts = {
        "advisories": [_record(one) for one in faults],
        "allowed": [
            {"id": one.id, "ecosystem": one.ecosystem, "package": one.package, "reason": one.reason}
            for one in snapshot.allowed
        ],
    }
    lines = [f'{{"format": {FORMAT},', '"looked_up": {']
    dates = [f"{json.dumps(name)}: {json.dumps(dict(sorted(of.items())))}" for name, of in snapshot.looked_up.items()]
    lines += [",\n".join(dates), "},"]
    for key, records in parts.items():
        told = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
        lines += [f'"{key}": [', *([told] if told else []), "]" if key == "allowed" else "],"]
    with whole_file(path) as draft:
        draft.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")
        load(draft)


def _record(one: Advisory) -> dict[str, Any]:
    ranges = [
        {key: text for key in ("introduced", "fixed", "last_affected") if (text := getattr(interval, key)) is not None}
        for interval in one.ranges
    ]
    return {
        "id": one.id,
        **({"aliases": list(one.aliases)} if one.aliases else {}),
        "ecosystem": one.ecosystem,
        "package": one.package,
        **({"ranges": ranges} if ranges else {}),
        **({"versions": list(one.versions)} if one.versions else {}),
        "summary": one.summary,
        "sources": [{"from": source.where, "as_of": source.as_of} for source in one.sources],
    }
