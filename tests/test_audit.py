"""Known faults of what we depend on: none by the snapshot in tools/, which is also the audit of this tree."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.laws import ROOT

# The tools are programs that stand side by side, and no package.
sys.path.insert(0, str(ROOT / "tools"))
try:
    import audit
    from advisories import Advisory, Allowance, AuditError, Ecosystem, Interval, Snapshot, Source, intervals, load, save
finally:
    sys.path.remove(str(ROOT / "tools"))

TODAY = "2026-11-18"


def fault(
    name: str, package: str, *ranges: Interval, ecosystem: Ecosystem = "PyPI", versions: tuple[str, ...] = ()
) -> Advisory:
    source = Source("https://example.org", TODAY)
    return Advisory(name, ecosystem, package, "It breaks.", (source,), ranges, versions, aliases=(f"CVE-{name}",))


def snapshot(*faults: Advisory, allowed: tuple[Allowance, ...] = ()) -> Snapshot:
    return Snapshot(faults, {"PyPI": {}, "crates.io": {}}, allowed)


def found(used: Iterator[audit.Used], known: Snapshot) -> list[str]:
    return [str(one) for one in audit.find(used, known)]


# The snapshot, and this tree.


def test_the_snapshot_is_valid_and_written_as_it_is_read(tmp_path: Path) -> None:
    known = load(audit.SNAPSHOT)
    assert len(known.advisories) > 100
    save(known, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == audit.SNAPSHOT.read_bytes()


def test_every_fault_has_a_public_source_and_a_short_summary() -> None:
    for one in load(audit.SNAPSHOT).advisories:
        assert all(source.where.startswith("https://") for source in one.sources), one.id
        assert len(one.summary) < 250, one.id
        assert not one.id.startswith("PYSEC-0000"), one.id


def test_nothing_is_known_against_this_tree() -> None:
    known = load(audit.SNAPSHOT)
    lines, code = audit.report(known, audit.everything(known))
    assert code == 0, "\n".join(lines)


def test_all_that_is_asked_for_by_name_was_looked_up() -> None:
    known = load(audit.SNAPSHOT)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    ranges = [*audit.project_ranges(project, known)]
    ranges += audit.crate_ranges((ROOT / "engine" / "Cargo.toml").read_text(encoding="utf-8"), known)
    assert {one.package for one in ranges if one.package not in known.looked_up[one.ecosystem]} == set()


def test_the_audit_is_run_first_and_every_week() -> None:
    target = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\naudit: build")[2].splitlines()
    assert target[1] == "\t$(BIN)/python tools/audit.py"
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    # YAML takes the word `on` for a yes.
    assert len(flow[True]["schedule"]) == 1
    assert flow["jobs"]["audit"]["steps"][-1] == {"run": "make audit"}
    assert [name for name, job in flow["jobs"].items() if "if" not in job] == ["audit"]


# What is found.


def test_a_faulty_package_is_found() -> None:
    known = load(audit.SNAPSHOT)
    old = audit.Used("installed", "PyPI", "starlette", "1.3.0")
    assert found(iter([old]), known) == [
        "installed: GHSA-82w8-qh3p-5jfq starlette 1.3.0, fixed in 1.3.1: The limits of a form do not hold where it is "
        "sent as application/x-www-form-urlencoded."
    ]
    assert found(iter([replace(old, version="1.3.1")]), known) == []


def test_a_build_for_one_processor_has_the_faults_of_the_release() -> None:
    known = snapshot(fault("A", "torch", Interval(last_affected="2.10.0")))
    assert found(iter([audit.Used("installed", "PyPI", "torch", "2.10.0+cpu")]), known) == [
        "installed: A torch 2.10.0+cpu, the last with it is 2.10.0: It breaks."
    ]


def test_what_is_installed_is_seen() -> None:
    seen = {one.package: one.version for one in audit.installed()}
    assert seen["pytest"] == pytest.__version__
    assert "unshuffle" not in seen


def test_a_faulty_crate_is_found() -> None:
    known = load(audit.SNAPSHOT)
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    assert found(audit.locked(lock), known) == []
    doctored = (
        '[[package]]\nname = "crossbeam-epoch"\nversion = "0.9.19"\n[[package]]\nname = "rand"\nversion = "0.10.1"\n'
    )
    assert [line.split(":")[1].split()[0] for line in found(audit.locked(doctored), known)] == ["RUSTSEC-2026-0204"]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("pyarrow>=23.0.1,<30", []),
        ("pyarrow>=16,<30", ["16"]),
        ("pyarrow~=22.0", ["22.0"]),
        ("PyArrow==23.0.0", ["23.0.0"]),
        # The lowest is free of it, but what brought the fault is let in.
        ("pyarrow>=14.0.1,<30", ["15.0.0"]),
        ("pyarrow>=14.0.1,<15", []),
        ("pyarrow", ["0.14.0", "15.0.0"]),
    ],
)
def test_a_range_that_lets_a_faulty_release_in_is_found(wanted: str, told: list[str]) -> None:
    known = load(audit.SNAPSHOT)
    project = f"""
        [build-system]
        requires = []
        [project]
        dependencies = ["unshuffle[study]"]
        [project.optional-dependencies]
        study = ["{wanted}"]
    """
    assert [one.used.version for one in audit.find(audit.project_ranges(project, known), known)] == told


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ('"0.30"', []),
        ('"0.28"', ["0.28"]),
        ('{ version = "0.28.2", optional = true }', ["0.28.2"]),
        ('"=0.29.0"', []),
        ('"1"', ["1.5.0"]),
        ('"=1.4.0"', []),
        ('"2"', []),
    ],
)
def test_a_range_of_crates_that_lets_a_faulty_release_in_is_found(wanted: str, told: list[str]) -> None:
    known = snapshot(
        fault("A", "pyo3", Interval("0.28.0", "0.29.0"), ecosystem="crates.io"),
        fault("B", "pyo3", Interval("1.5.0", "1.6.0"), ecosystem="crates.io"),
    )
    engine = f"[dependencies]\npyo3 = {wanted}\n"
    assert [one.used.version for one in audit.find(audit.crate_ranges(engine, known), known)] == told


def test_a_fault_with_two_names_is_found_once() -> None:
    first, second = fault("A", "rich", Interval()), replace(fault("B", "rich", Interval()), aliases=("CVE-A",))
    assert len(found(iter([audit.Used("installed", "PyPI", "rich", "13.0")]), snapshot(first, second))) == 1


# Intervals.


@pytest.mark.parametrize(
    ("events", "inside", "outside"),
    [
        ([{"introduced": "0"}], ["0.1", "99"], []),
        ([{"introduced": "0"}, {"fixed": "1.2"}], ["0", "1.1.9", "1.2rc1"], ["1.2", "1.2.post1", "2"]),
        ([{"introduced": "1.0"}, {"last_affected": "1.2"}], ["1.0", "1.2"], ["0.9", "1.2.1", "1.2.post1"]),
        # Two branches, in the order in which the advisory database of PyPI writes some.
        (
            [{"introduced": "2.0.0"}, {"fixed": "2.0.6"}, {"introduced": "0"}, {"fixed": "1.26.17"}],
            ["1.26.16", "2.0.0", "2.0.5"],
            ["1.26.17", "1.99", "2.0.6"],
        ),
        (
            [{"introduced": "1"}, {"fixed": "2"}, {"introduced": "2"}, {"last_affected": "2"}],
            ["1", "2"],
            ["0.9", "2.1"],
        ),
        # What a fix does not end, and an end of nothing.
        ([{"introduced": "1"}, {"introduced": "2"}, {"fixed": "3"}, {"fixed": "4"}], ["1", "2.5"], ["3", "3.5"]),
        ([{"fixed": "3"}, {"limit": "4"}], [], ["1", "3.5"]),
    ],
)
def test_events_are_intervals(events: list[dict[str, str]], inside: list[str], outside: list[str]) -> None:
    one = fault("A", "rich", *intervals("PyPI", events))
    assert [version for version in (*inside, *outside) if one.hits(version)] == inside


def test_versions_of_crates_are_ordered_as_semver_orders_them() -> None:
    ordered = "0.0.0-0 0.9.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.2"
    one = fault("A", "rand", Interval("0.0.0-0", "1.0.0-beta.11"), ecosystem="crates.io")
    assert [version for version in ordered.split() if one.hits(version)] == ordered.split()[:6]
    assert one.hits("0.9.0+build.7")
    with pytest.raises(ValueError, match="'one' is no version of a crate"):
        one.hits("one")


def test_releases_may_be_counted_one_by_one() -> None:
    one = fault("A", "rich", versions=("1.0", "1.3"))
    assert [version for version in ("1.0", "1.1", "1.3") if one.hits(version)] == ["1.0", "1.3"]


# Allowances.


def test_an_allowed_fault_is_told_with_its_reason() -> None:
    allowed = (Allowance("CVE-A", "PyPI", "rich", "It is never called."),)
    lines, code = audit.report(
        snapshot(fault("A", "rich", Interval()), allowed=allowed), [audit.Used("installed", "PyPI", "rich", "13.0")]
    )
    assert code == 0
    assert "allowed: A rich 13.0: It is never called." in lines


def test_an_allowance_that_nothing_needs_is_an_error() -> None:
    allowed = (Allowance("A", "PyPI", "rich", "It is never called."),)
    lines, code = audit.report(
        snapshot(fault("A", "rich", Interval(fixed="13.1")), allowed=allowed),
        [audit.Used("installed", "PyPI", "rich", "13.1")],
    )
    assert code == 1
    assert "allowed for nothing: A of rich is found no more; take the entry out" in lines


# A wrong or damaged snapshot.

ONE: dict[str, Any] = {
    "id": "A",
    "ecosystem": "PyPI",
    "package": "rich",
    "ranges": [{"introduced": "0", "fixed": "1.0"}],
    "summary": "It breaks.",
    "sources": [{"from": "https://example.org", "as_of": TODAY}],
}
WHOLE: dict[str, Any] = {"format": 1, "looked_up": {"PyPI": {"rich": TODAY}}, "advisories": [ONE], "allowed": []}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": 2}, "it is not of format 1"),
        ({"advisories": [{**ONE, "ecosystem": "npm"}]}, r"advisory 1 \(A\): 'npm' is no ecosystem that we know"),
        ({"advisories": [{**ONE, "package": "Rich"}]}, "'Rich' is not written as rich"),
        ({"advisories": [{**ONE, "ranges": []}]}, "it says of no release that it has the fault"),
        ({"advisories": [{**ONE, "ranges": [{"fixed": "one"}]}]}, "Invalid version: 'one'"),
        ({"advisories": [{**ONE, "ranges": [{"introduced": "2", "fixed": "1"}]}]}, "it ends before 2"),
        ({"advisories": [{**ONE, "ranges": [{"fixed": "1", "last_affected": "1"}]}]}, "ends either before"),
        ({"advisories": [{**ONE, "ranges": [{"until": "1"}]}]}, "unexpected keyword argument 'until'"),
        ({"advisories": [{**ONE, "sources": []}]}, "it names no source"),
        (
            {"advisories": [{**ONE, "sources": [{"from": "there", "as_of": "lately"}]}]},
            "Invalid isoformat string: 'lately'",
        ),
        ({"advisories": [{**ONE, "summary": " "}]}, "'summary' says nothing"),
        ({"advisories": [{key: ONE[key] for key in ONE if key != "id"}]}, r"advisory 1 \(None\): 'id' is missing"),
        ({"advisories": [ONE, ONE]}, "these are there twice"),
        ({"advisories": ["A"]}, "advisory 1"),
        ({"allowed": [{"id": "A", "ecosystem": "PyPI", "package": "rich", "reason": ""}]}, "'reason' says nothing"),
        ({"allowed": [{"id": "B", "ecosystem": "PyPI", "package": "rich", "reason": "No."}]}, "no B of rich is known"),
    ],
)
def test_a_damaged_snapshot_is_named(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    path = tmp_path / "advisories.json"
    path.write_text(json.dumps(WHOLE), encoding="utf-8")
    assert load(path).newest == TODAY
    path.write_text(json.dumps({**WHOLE, **change}), encoding="utf-8")
    with pytest.raises(AuditError, match=f"advisories.json is damaged: .*{why}"):
        load(path)


# The service.


class Service(ThreadingHTTPServer):
    """An OSV service with a few records, on this machine; it can fail after some answers."""

    def __init__(self) -> None:
        """Listen at a free port."""
        super().__init__(("127.0.0.1", 0), Answer)
        self.records: dict[str, Any] = {}
        self.answers_left = 1_000
        self.asked: list[str] = []
        self.page_of = 2

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answer(self, path: str, body: Any) -> Any:
        self.asked.append(path)
        self.answers_left -= 1
        if self.answers_left < 0:
            return None
        if path == "/v1/querybatch":
            return {"results": [self.page(query) for query in body["queries"]]}
        return self.records.get(path.removeprefix("/v1/vulns/"))

    def page(self, query: Any) -> Any:
        package = query["package"]
        names = [
            name
            for name, record in self.records.items()
            if any(one["package"] == package for one in record["affected"]) and "withdrawn" not in record
        ]
        start = int(query.get("page_token", 0))
        end = start + self.page_of
        page: dict[str, Any] = {"vulns": [{"id": name, "modified": TODAY} for name in names[start:end]]}
        return page | ({"next_page_token": str(end)} if end < len(names) else {}) if page["vulns"] else {}


class Answer(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        self.send(self.server.answer(self.path, None))

    def do_POST(self) -> None:
        self.send(self.server.answer(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))

    def send(self, answer: Any) -> None:
        text = json.dumps(answer).encode()
        self.send_response(200 if answer is not None else 404 if self.server.answers_left >= 0 else 503)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield one
        one.shutdown()
        thread.join()


def record(name: str, package: str, *events: dict[str, str], ecosystem: str = "PyPI", **more: Any) -> dict[str, Any]:
    kind = "ECOSYSTEM" if ecosystem == "PyPI" else "SEMVER"
    ranges = [{"type": "GIT", "events": [{"introduced": "0"}]}, {"type": kind, "events": list(events)}]
    affected = [{"package": {"ecosystem": ecosystem, "name": package}, "ranges": ranges, "versions": ["7"]}]
    return {"id": name, "modified": "2026-11-17T08:00:00Z", "summary": "It breaks.", "affected": affected, **more}


def test_the_service_is_asked_anew(service: Service) -> None:
    for number in range(5):
        service.records[f"NEW-{number}"] = record(
            f"NEW-{number}", "rich", {"introduced": "0"}, {"fixed": f"1.{number}"}
        )
    service.records["NEW-4"]["aliases"] = ["CVE-OLD"]
    service.records["GONE"] = record("GONE", "rich", {"introduced": "0"}, withdrawn=TODAY)
    service.records["CRATE"] = record(
        "CRATE", "rand", {"introduced": "0.0.0-0"}, {"last_affected": "1.2.3"}, ecosystem="crates.io"
    )
    service.records["COUNTED"] = record("COUNTED", "typer", summary="", details="Some\nwords.")
    service.records["COUNTED"]["affected"][0] |= {"ranges": [], "versions": ["0.1", "0.2", "2004d"]}
    old = snapshot(
        fault("OLD", "rich", Interval()),
        fault("GONE", "rich", Interval()),
        fault("UNKNOWN-THERE", "rich", Interval()),
        fault("NOT-ASKED", "torch", Interval()),
        allowed=(Allowance("GONE", "PyPI", "rich", "No."), Allowance("CVE-NOT-ASKED", "PyPI", "torch", "No.")),
    )
    now = audit.refresh(old, [("PyPI", "rich"), ("PyPI", "typer"), ("crates.io", "rand")], service.address, TODAY)
    by_name = {one.id: one for one in now.advisories}
    # OLD came back by another name; what was withdrawn is gone, and what the service cannot tell is kept.
    assert set(by_name) == {*(f"NEW-{number}" for number in range(5)), "UNKNOWN-THERE", "NOT-ASKED", "CRATE", "COUNTED"}
    assert by_name["NEW-3"].ranges == (Interval("0", "1.3"),)
    assert by_name["NEW-3"].versions == ()
    assert by_name["NEW-3"].sources == (Source(f"{service.address}/vulns/NEW-3", "2026-11-17"),)
    assert by_name["CRATE"].hits("1.2.3")
    assert not by_name["CRATE"].hits("1.2.4")
    assert (by_name["COUNTED"].versions, by_name["COUNTED"].summary) == (("0.1", "0.2"), "Some words.")
    assert [one.id for one in now.allowed] == ["CVE-NOT-ASKED"]
    assert now.looked_up == {"PyPI": {"rich": TODAY, "typer": TODAY}, "crates.io": {"rand": TODAY}}


def test_the_command_writes_what_the_service_says(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service.records["NEW-1"] = record("NEW-1", "pytest", {"introduced": "0"})
    path = tmp_path / "advisories.json"
    path.write_text(json.dumps(WHOLE), encoding="utf-8")
    assert audit.main(["--refresh", "--snapshot", str(path), "--service", service.address]) == 1
    assert (
        f"installed: NEW-1 pytest {pytest.__version__}, no fixed release is known: It breaks."
        in capsys.readouterr().out
    )
    assert [one.id for one in load(path).advisories] == ["NEW-1", "A"]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("answers", [0, 1, 2])
def test_a_service_that_fails_in_the_midst_leaves_the_file_as_it_was(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], answers: int
) -> None:
    for number in range(4):
        service.records[f"NEW-{number}"] = record(f"NEW-{number}", "rich", {"introduced": "0"})
    service.page_of = 9
    service.answers_left = answers
    path = tmp_path / "advisories.json"
    path.write_text(json.dumps(WHOLE), encoding="utf-8")
    assert audit.main(["--refresh", "--snapshot", str(path), "--service", service.address]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "answers 503" in told.err
    assert len(service.asked) == answers + 1
    assert json.loads(path.read_text(encoding="utf-8")) == WHOLE
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "wrong",
    [
        {
            "id": "NEW-1",
            "modified": "2026-11-17T08:00:00Z",
            "affected": [{"package": {"ecosystem": "PyPI", "name": "rich"}}, {}],
        },
        record("NEW-1", "rich", {"introduced": "one"}),
        record("NEW-1", "rich", {"introduced": "0"}) | {"modified": "lately"},
    ],
)
def test_an_answer_of_another_form_is_refused(service: Service, wrong: dict[str, Any]) -> None:
    service.records["NEW-1"] = wrong
    with pytest.raises(AuditError, match="does not answer in the form of OSV: NEW-1"):
        audit.refresh(snapshot(fault("NEW-1", "rich", Interval())), [("PyPI", "rich")], service.address, TODAY)


# The command.


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "audit.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_counts_and_dates(tmp_path: Path) -> None:
    ended = run()
    assert (ended.returncode, ended.stderr) == (0, "")
    known = load(audit.SNAPSHOT)
    assert f"held against {len(known.advisories)} advisories" in ended.stdout
    assert f"the newest source is of {known.newest}" in ended.stdout
    assert ended.stdout.endswith("no known fault\n")
    broken = tmp_path / "advisories.json"
    broken.write_text(audit.SNAPSHOT.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    ended = run("--snapshot", broken)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("audit: advisories.json cannot be read: ")


def test_without_a_network_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "advisories.json"
    path.write_text(json.dumps(WHOLE), encoding="utf-8")
    # Nobody listens there.
    ended = run("--refresh", "--snapshot", path, "--service", "http://127.0.0.1:9/v1")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert ended.stderr.startswith("audit: http://127.0.0.1:9/v1 cannot be asked: ")
    assert json.loads(path.read_text(encoding="utf-8")) == WHOLE
