"""Hold what we depend on against a snapshot of known faults: `python tools/audit.py`, which `make audit` runs first.

The services that know all faults cannot be reached from everywhere. tools/advisories.json is what they and other public
sources said, each with its date, so that every run of the tests can look. It is as old as its sources: that nothing is
found means that nothing was known to them. Held against it are the packages that are installed in this environment,
the crates of Cargo.lock, and the ranges of pyproject.toml and engine/Cargo.toml, which must let in no faulty release.

`--refresh` asks the service anew, on a machine with the network, and writes the snapshot again, whole or not at all.

Exit codes: 0 no fault is known, 1 one is or an allowance is needed no more, 2 it could not be told.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, get_args

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from advisories import (
    Advisory,
    Allowance,
    AuditError,
    Ecosystem,
    Interval,
    Snapshot,
    Source,
    intervals,
    is_version,
    load,
    read_date,
    read_semver,
    save,
)

ROOT = Path(__file__).parent.parent
SNAPSHOT = Path(__file__).parent / "advisories.json"
SERVICE = "https://api.osv.dev/v1"
OURS = ("unshuffle", "unshuffle-engine")
# What a request may take, and how many packages one may ask for.
SECONDS = 30
AT_ONCE = 500


# What is held against it.


@dataclass(frozen=True, slots=True)
class Used:
    """A version that is used, or that a range lets in."""

    where: str
    ecosystem: Ecosystem
    package: str
    version: str
    range: str = ""

    def __str__(self) -> str:
        return f"{self.package}{self.range} lets in {self.version}" if self.range else f"{self.package} {self.version}"


def installed() -> Iterator[Used]:
    """The packages of this environment."""
    for found in sorted({(canonicalize_name(one.name), one.version) for one in distributions()}):
        if found[0] not in OURS:
            yield Used("installed", "PyPI", *found)


def locked(text: str) -> Iterator[Used]:
    """The crates of a Cargo.lock."""
    for package in tomllib.loads(text)["package"]:
        if package["name"] not in OURS:
            yield Used("Cargo.lock", "crates.io", package["name"], package["version"])


def project_ranges(text: str, snapshot: Snapshot) -> Iterator[Used]:
    """The lowest release that each range of a pyproject.toml lets in, and each that brought a fault and is let in."""
    project = tomllib.loads(text)
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for extra in project["project"]["optional-dependencies"].values():
        wanted += extra
    for one in sorted({Requirement(each) for each in wanted}, key=str):
        name = canonicalize_name(one.name)
        if name in OURS:
            continue
        lows = [part.version.removesuffix(".*") for part in one.specifier if part.operator in (">=", ">", "==", "~=")]
        lowest = max(lows, key=Version, default="0")
        for version in _let_in("PyPI", name, lowest, snapshot):
            if version == lowest or one.specifier.contains(version, prereleases=True):
                yield Used("pyproject.toml", "PyPI", name, version, str(one.specifier) or " without a bound")


def crate_ranges(text: str, snapshot: Snapshot) -> Iterator[Used]:
    """The same of a Cargo.toml, whose versions mean all that are compatible, or with a sign that one alone."""
    engine = tomllib.loads(text)
    for name, wanted in {**engine["dependencies"], **engine.get("dev-dependencies", {})}.items():
        version = wanted if isinstance(wanted, str) else wanted["version"]
        lowest = version.removeprefix("=").strip()
        major, minor, patch, *_ = read_semver(lowest)
        # The first number that is not zero must stay; cargo writes "0.30" for "0.30.0 and on".
        above = f"{major + 1}" if major else f"0.{minor + 1}" if minor else f"0.0.{patch + 1}"
        for each in _let_in("crates.io", name, lowest, snapshot):
            if each == lowest or (not version.startswith("=") and Interval(lowest, above).has("crates.io", each)):
                yield Used("engine/Cargo.toml", "crates.io", name, each, f' = "{version}"')


def _let_in(ecosystem: Ecosystem, package: str, lowest: str, snapshot: Snapshot) -> list[str]:
    """The lowest, and where the faults of the package begin: whether a range lets those in is for the caller to say."""
    faults = [one for one in snapshot.advisories if (one.ecosystem, one.package) == (ecosystem, package)]
    starts = {interval.introduced for one in faults for interval in one.ranges} | {
        v for one in faults for v in one.versions
    }
    return [lowest, *sorted(starts - {lowest, "0"})]


def everything(snapshot: Snapshot, root: Path = ROOT) -> list[Used]:
    """All that is held against the snapshot."""
    project, lock, engine = (
        (root / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "Cargo.lock", "engine/Cargo.toml")
    )
    return [*installed(), *locked(lock), *project_ranges(project, snapshot), *crate_ranges(engine, snapshot)]


@dataclass(frozen=True, slots=True)
class Finding:
    """A known fault in something that is used."""

    used: Used
    advisory: Advisory
    interval: Interval

    def __str__(self) -> str:
        fixed = f"fixed in {self.interval.fixed}" if self.interval.fixed else "no fixed release is known"
        if self.interval.last_affected:
            fixed = f"the last with it is {self.interval.last_affected}"
        return f"{self.used.where}: {self.advisory.id} {self.used}, {fixed}: {self.advisory.summary}"


def find(used: Iterable[Used], snapshot: Snapshot) -> Iterator[Finding]:
    """Every known fault, once for each place; a fault that two sources know by two names is one."""
    faults: dict[tuple[str, str], list[Advisory]] = {}
    for one in snapshot.advisories:
        faults.setdefault((one.ecosystem, one.package), []).append(one)
    seen: set[tuple[str, str, str, str]] = set()
    for each in used:
        for fault in faults.get((each.ecosystem, each.package), ()):
            interval = fault.hits(each.version)
            if interval is None:
                continue
            names = {(each.where, each.package, each.range, name) for name in fault.names}
            if not names & seen:
                yield Finding(each, fault, interval)
            seen |= names


def judge(
    found: Iterable[Finding], allowed: Sequence[Allowance]
) -> tuple[list[Finding], list[tuple[Finding, Allowance]], list[Allowance]]:
    """What concerns us, what is allowed, and the allowances that nothing needs any more."""
    concerns: list[Finding] = []
    passed: list[tuple[Finding, Allowance]] = []
    for finding in found:
        fault = finding.advisory
        for one in allowed:
            if (one.ecosystem, one.package) == (fault.ecosystem, fault.package) and one.id in fault.names:
                passed.append((finding, one))
                break
        else:
            concerns.append(finding)
    return concerns, passed, [one for one in allowed if all(one is not needed for _, needed in passed)]


def report(snapshot: Snapshot, used: Sequence[Used]) -> tuple[list[str], int]:
    """The lines to print, and the exit code."""
    concerns, passed, unneeded = judge(find(used, snapshot), snapshot.allowed)
    counts = {
        where: len({(one.package, one.range or one.version) for one in used if one.where == where}) for where in _PLACES
    }
    known = {(one.ecosystem, one.package) for one in snapshot.advisories}
    lines = [
        ", ".join(words.format(counts[where]) for where, words in _PLACES.items()),
        f"held against {len(snapshot.advisories)} advisories for {len(known)} packages; the newest source is of "
        f"{snapshot.newest}, and of what came later nothing is known here",
    ]
    packages = {(one.ecosystem, one.package) for one in used}
    dates = {package: snapshot.looked_up.get(package[0], {}).get(package[1]) for package in packages}
    told = sorted(date for date in dates.values() if date is not None)
    never = sorted(name for (_, name), date in dates.items() if date is None)
    if told:
        lines += [f"{len(told)} packages were looked up, in sources of {told[0]} to {told[-1]}"]
    if never:
        lines += [f"{len(never)} were not: {', '.join(never)}"]
    lines += [f"allowed: {finding.advisory.id} {finding.used}: {one.reason}" for finding, one in passed]
    lines += [str(finding) for finding in concerns]
    lines += [
        f"allowed for nothing: {one.id} of {one.package} is found no more; take the entry out" for one in unneeded
    ]
    lines += [f"{len(concerns)} known faults" if concerns else "no known fault"]
    return lines, 1 if concerns or unneeded else 0


_PLACES = {
    "installed": "{} packages installed",
    "Cargo.lock": "{} crates locked",
    "pyproject.toml": "{} ranges of packages",
    "engine/Cargo.toml": "{} ranges of crates",
}


# Asking the service.


def refresh(snapshot: Snapshot, packages: Iterable[tuple[Ecosystem, str]], service: str, today: str) -> Snapshot:
    """The snapshot with what the service says now of these packages; what it does not know is kept."""
    asked = sorted(set(packages))
    records: dict[str, Any] = {}
    faults = [one for one in snapshot.advisories if (one.ecosystem, one.package) not in asked]
    for (ecosystem, package), ids in zip(asked, _ask_for_ids(service, asked), strict=True):
        answered = []
        for name in ids:
            if name not in records:
                records[name] = _ask(service, f"vulns/{name}")
            answered.append(_convert(records[name], ecosystem, package, service))
        now = [one for one in answered if one is not None]
        names = frozenset(name for one in now for name in one.names)
        for old in snapshot.advisories:
            if (old.ecosystem, old.package) != (ecosystem, package) or old.names & names:
                continue
            # Perhaps it was withdrawn, or is another package's; a name that is not known there stays.
            record = _ask(service, f"vulns/{old.id}", missing=True)
            kept = old if record is None else _convert(record, ecosystem, package, service)
            now += [kept] if kept is not None else []
        faults += now
    looked_up = {ecosystem: dict(snapshot.looked_up.get(ecosystem, {})) for ecosystem in get_args(Ecosystem)}
    for ecosystem, package in asked:
        looked_up[ecosystem][package] = today
    known = {(one.ecosystem, one.package, name) for one in faults for name in one.names}
    allowed = tuple(one for one in snapshot.allowed if (one.ecosystem, one.package, one.id) in known)
    return replace(snapshot, advisories=tuple(faults), looked_up=looked_up, allowed=allowed)


def _ask_for_ids(service: str, asked: Sequence[tuple[Ecosystem, str]]) -> list[list[str]]:
    """The names of the faults of each package; a long answer comes in pages."""
    found: list[list[str]] = [[] for _ in asked]
    waiting: list[tuple[int, str | None]] = [(number, None) for number in range(len(asked))]
    while waiting:
        now, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        queries = [
            {"package": {"ecosystem": asked[number][0], "name": asked[number][1]}}
            | ({"page_token": page} if page else {})
            for number, page in now
        ]
        answer = _ask(service, "querybatch", {"queries": queries})
        try:
            for (number, _), result in zip(now, answer["results"], strict=True):
                found[number] += [str(one["id"]) for one in result.get("vulns", ())]
                if result.get("next_page_token"):
                    waiting.append((number, str(result["next_page_token"])))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise AuditError(f"{service} does not answer in the form of OSV") from None
    return found


def _convert(record: Any, ecosystem: Ecosystem, package: str, service: str) -> Advisory | None:
    """What an OSV record says of this package; nothing if it was withdrawn."""
    try:
        if record.get("withdrawn"):
            return None
        ranges: list[Interval] = []
        versions: list[str] = []
        for affected in record.get("affected", ()):
            name = affected["package"]["name"]
            if affected["package"]["ecosystem"] != ecosystem or package != (
                canonicalize_name(name) if ecosystem == "PyPI" else name
            ):
                continue
            told = [one for one in affected.get("ranges", ()) if one["type"] in ("ECOSYSTEM", "SEMVER")]
            ranges += [each for one in told for each in intervals(ecosystem, one["events"])]
            # Where there are intervals, the list only counts the releases in them. Of very old ones some have no
            # version that could be compared, and nobody installs them.
            versions += [] if told else [text for text in affected.get("versions", ()) if is_version(ecosystem, text)]
        if not ranges and not versions:
            return None
        summary = record.get("summary") or " ".join(str(record.get("details", "")).split())[:160] or "no summary"
        source = Source(f"{service}/vulns/{record['id']}", read_date(record["modified"][:10]))
        return Advisory(
            id=record["id"],
            ecosystem=ecosystem,
            package=package,
            summary=summary,
            sources=(source,),
            ranges=tuple(dict.fromkeys(ranges)),
            versions=tuple(dict.fromkeys(versions)),
            aliases=tuple(record.get("aliases", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        name = record.get("id") if isinstance(record, dict) else record
        raise AuditError(f"{service} does not answer in the form of OSV: {str(name)[:80]}") from None


def _ask(service: str, path: str, body: Any = None, *, missing: bool = False) -> Any:
    """An answer of the service; None for a page that is not there, where that may be."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{service}/{path}", data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with contextlib.closing(error):
            if missing and error.code == 404:
                return None
            raise AuditError(f"{service} answers {error.code} to {path}") from None
    except (OSError, ValueError) as error:
        raise AuditError(f"{service} cannot be asked: {getattr(error, 'reason', error)}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """The audit, as a command."""
    parser = argparse.ArgumentParser(description="Hold what we depend on against a snapshot of known faults.")
    parser.add_argument(
        "--refresh", action="store_true", help="first ask the service anew, and write the snapshot again"
    )
    parser.add_argument("--snapshot", type=Path, default=SNAPSHOT, help="the file of the snapshot")
    parser.add_argument(
        "--service", default=SERVICE, help=f"what --refresh asks, in the form of OSV (default: {SERVICE})"
    )
    told = parser.parse_args(arguments)
    try:
        snapshot = load(told.snapshot)
        if told.refresh:
            packages: set[tuple[Ecosystem, str]] = {(one.ecosystem, one.package) for one in everything(snapshot)}
            packages |= {(ecosystem, name) for ecosystem, names in snapshot.looked_up.items() for name in names}
            snapshot = refresh(snapshot, packages, told.service, datetime.datetime.now(datetime.UTC).date().isoformat())
            save(snapshot, told.snapshot)
        lines, code = report(snapshot, everything(snapshot))
    except (AuditError, OSError) as error:
        print(f"audit: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main())
