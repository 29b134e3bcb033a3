"""All side-by-side benchmarks in one run, written to a page: `make bench` (`python benches/everything.py`).

Peers from PyPI are installed into environments of their own below `--peers`; the others are named by their paths, and a
peer that is missing is listed as such. Every figure comes from another program in this folder, whose command the page
shows. `--share 0.05` runs a twentieth of all, to see that everything works; the page of such a run says so.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import harness
import scaling
import unshuffle as un
from unshuffle.engine import describe_engine

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "benchmarks.md"
TEMPLATE = HERE / "page.md"
"""The template of the page."""
QUAGNES = "quagnes==1.1.0"
"""The only peer that is a package; `lblsolve` on PyPI contains no program."""


@dataclass(frozen=True, slots=True)
class Row:
    """A comparison with a peer on one kind of work."""

    game: str
    peer: str
    work: str
    """What both did, and how often."""
    ratio: float
    """The peer's processor time divided by ours."""
    decided: float | None
    """The same over what the peer finished within its limit; None if it finished all, or has no limit."""
    agree: str
    where: str = "this run"


@dataclass
class Run:
    """The settings and the record of a run."""

    share: float
    commands: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Peers that were missing."""

    def count(self, full: int, least: int = 2) -> int:
        """Return the number of deals for this run's share of `full`."""
        return max(least, round(full * self.share))

    def ask(self, bench: str, *options: object) -> Any:
        """Run a benchmark and return the JSON that it prints."""
        told = [str(option) for option in options]
        # Only the names of files: the folders are those of one machine.
        shown = [option.name if isinstance(option, Path) else str(option) for option in options]
        self.commands.append(" ".join(["python", f"benches/{bench}", *shown]))
        print(self.commands[-1], file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, str(HERE / bench), *told, "--json"], stdout=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit(f"{self.commands[-1]} ended with code {done.returncode}")
        return json.loads(done.stdout)


def install(package: str, folder: Path) -> Path:
    """Return a Python with this package, in an environment of its own, which is created if needed."""
    python = folder / package.replace("==", "-") / "bin" / "python"
    if not python.exists():
        print(f"installing {package}", file=sys.stderr, flush=True)
        venv.create(python.parent.parent, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", package], check=True)
    return python


# Peers.


def agnes(run: Run, peers: argparse.Namespace) -> Iterator[Row]:
    """Compare with quagnes and quagnes-cpp."""
    options = ["--python-peer", install(QUAGNES, peers.peers)]
    if peers.quagnes_cpp:
        options += ["--cpp", peers.quagnes_cpp]
    else:
        run.missing.append("quagnes-cpp (`QUAGNES_CPP=binary`)")
    for variant, decks in (("down-color-none", 100), ("up-suit-none", 300), ("up-suit-highrun-nosplit", 30)):
        count = run.count(decks)
        told = run.ask("agnes.py", "--variant", variant, "--decks", count, "--turns", min(5, count), *options)
        for each in told["comparisons"]:
            given_up = each["peer"]["undecided"]
            yield Row(
                f"agnes/{variant}",
                each["peer"]["program"],
                f"decide {each['ours']['decks']} decks" + f"; the peer gave {given_up} up" * bool(given_up),
                each["ratios"][0],
                each["ratios"][1] if given_up else None,
                f"{each['compared'] - len(each['differences'])} of {each['compared']} verdicts",
            )


def fans(run: Run, peers: argparse.Namespace) -> Iterator[Row]:
    """Compare with fc-solve and Solvitaire."""
    if not peers.fc_solve:
        run.missing.append("fc-solve (`FC_SOLVE=binary`, built with MAX_NUM_STACKS=20)")
    options = ["--fc-solve", peers.fc_solve] if peers.fc_solve else []
    options += ["--solvitaire", peers.solvitaire] if peers.solvitaire else []
    if not options:
        return
    for each in run.ask("fans.py", *options, "--deals", run.count(100))["comparisons"]:
        given_up = each["deals"] - each["decided"]
        yield Row(
            f"belle-lucie/{each['variant']}",
            each["peer"],
            f"decide {each['deals']} deals" + f"; the peer gave {given_up} up" * bool(given_up),
            each["ratios"][0],
            each["ratios"][1] if given_up else None,
            f"{each['decided'] - len(each['differences'])} of {each['decided']} verdicts",
        )


def belle_lucie(run: Run, peers: argparse.Namespace) -> Iterator[Row]:
    """Compare with lblsolve."""
    if not peers.lblsolve:
        run.missing.append("lblsolve (`LBLSOLVE=checkout`)")
        return
    told = run.ask("belle_lucie.py", "--peer", peers.lblsolve, "--peer-deals", run.count(40))
    right = told["finished"] - len(told["differences"])
    work = f"best score of {told['finished']} deals of {told['deals']}, those that the peer finished"
    yield Row("belle-lucie/one-deal", "lblsolve", work, told["ratio"], None, f"{right} of {told['finished']} scores")


def gaps(run: Run, peers: argparse.Namespace) -> Iterator[Row]:
    """Compare with Solvitaire, or with its recorded times if it is missing."""
    if not peers.solvitaire:
        run.missing.append("Solvitaire (`SOLVITAIRE=binary`): its times below were recorded on another machine")
    options = ["--peer", peers.solvitaire] if peers.solvitaire else []
    told = run.ask("gaps.py", "--part", "basic", "--deals", run.count(45), *options)
    right = told["deals"] - len(told["differences"])
    yield Row(
        "gaps/basic",
        "Solvitaire",
        f"decide {told['deals']} deals",
        told["ratio"],
        None,
        f"{right} of {told['deals']} verdicts",
        "this run" if peers.solvitaire else "recorded elsewhere",
    )


def aces_up(run: Run, peers: argparse.Namespace) -> Iterator[Row]:
    """Compare with henrikenquist/aces-up."""
    if not peers.aces_up:
        run.missing.append("aces-up (`ACES_UP=checkout`)")
        return
    games = run.count(200_000)
    told = run.ask(
        "aces_up.py", "--part", "peer", "--peer", peers.aces_up, "--games", games, "--peer-decks", run.count(5000)
    )
    for each in told["peer"]:
        work = f"play `{each['rules']}` on {each['decks']:,} decks"
        yield Row("aces-up", "aces-up 1.x", work, each["ratio"], None, f"{each['agreeing']} of {each['decks']} scores")


PEERS: Sequence[Callable[[Run, argparse.Namespace], Iterator[Row]]] = (agnes, belle_lucie, fans, gaps, aces_up)
COLUMNS: dict[str, Callable[[Row], str]] = {
    "game": lambda row: f"`{row.game}`",
    "peer": lambda row: row.peer,
    "work": lambda row: row.work,
    "times as fast": lambda row: f"{row.ratio:,.1f}",
    "of what it finished": lambda row: "" if row.decided is None else f"{row.decided:,.1f}",
    "answers agree": lambda row: row.agree,
    "measured": lambda row: row.where,
}


# The page.


def environments(run: Run, peers: argparse.Namespace) -> str:
    """Return the table of environments: steps per second, compared with CartPole."""
    if not peers.spider:
        run.missing.append("the environment of Spider that people use today (`SPIDER=checkout`)")
    options = ["--peer", peers.spider] if peers.spider else []
    told = run.ask("envs.py", "--turns", 3, "--seconds", max(0.05, min(0.5, run.share)), *options)
    poles = {kind: told["rates"][f"CartPole-v1, {kind}"]["best"] for kind in ("batch", "single")}
    columns: dict[str, Callable[[Any], str]] = {
        "environment": lambda row: f"`{row[0].partition(',')[0]}`{row[0].partition(',')[1]}{row[0].partition(',')[2]}",
        "best": lambda row: f"{row[1]['best']:,.0f}",
        "median": lambda row: f"{row[1]['median']:,.0f}",
        "of CartPole's": lambda row: f"{row[1]['best'] / poles['batch' if 'batch' in row[0] else 'single']:.2f}",
    }
    return harness.table(columns, told["rates"].items())


def instructions(run: Run) -> str:
    """Return the table of instruction counts, which do not depend on the load of the machine."""
    columns: dict[str, Callable[[Any], str]] = {
        "game": lambda row: f"`{row['game']}`",
        "deals": lambda row: f"{row['deals']:,}",
        "instructions a deal": lambda row: f"{row['instructions']:,}",
    }
    games = [] if run.share >= 1 else ["belle-lucie/one-deal"]
    return harness.table(columns, run.ask("instructions.py", *games))


def page(run: Run, peers: argparse.Namespace) -> str:
    """Run all benchmarks and return the page."""
    rows = [row for measure in PEERS for row in measure(run, peers)]
    envs = environments(run, peers)
    counts = instructions(run)
    grown = run.ask("scaling.py", "--share", run.share)
    tables = {part: harness.table(scaling.COLUMNS[part], grown[part]) for part in scaling.PARTS}
    short = (
        "" if run.share >= 1 else f"\n**A short run: {run.share:g} of the deals. No figure of it is worth quoting.**\n"
    )
    missing = "".join(f"- {each}\n" for each in run.missing)
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        version=un.__version__,
        engine=describe_engine(),
        python=platform.python_version(),
        processor=processor(),
        processors=os.cpu_count(),
        load=f"{os.getloadavg()[1]:.1f}",
        short=short,
        peers=harness.table(COLUMNS, rows),
        missing=f"Not at hand in this run:\n\n{missing}" if missing else "All peers were at hand.\n",
        environments=envs,
        instructions=counts,
        capped=f"{scaling.CAPPED_NODES:,}",
        commands="\n".join(run.commands),
        **tables,
    )


def processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quagnes-cpp", type=Path, metavar="PATH", help="a built quagnes-cpp")
    parser.add_argument("--fc-solve", type=Path, metavar="PATH", help="a built fc-solve, MAX_NUM_STACKS=20")
    parser.add_argument("--solvitaire", type=Path, metavar="PATH", help="a built Solvitaire")
    parser.add_argument("--aces-up", type=Path, metavar="PATH", help="a checkout of henrikenquist/aces-up, 1.x")
    parser.add_argument("--lblsolve", type=Path, metavar="PATH", help="a checkout of lblsolve")
    parser.add_argument("--spider", type=Path, metavar="PATH", help="a checkout that has the package spider_solitare")
    parser.add_argument(
        "--peers", type=Path, default=Path("build/peers"), help="where peers are installed (build/peers)"
    )
    parser.add_argument("--share", type=float, default=1.0, help="share of the deals to run (1)")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write (docs/benchmarks.md)")
    arguments = parser.parse_args()
    if not 0 < arguments.share <= 100:
        parser.error("--share is more than 0, at most 100")
    paths = [
        getattr(arguments, name) for name in ("quagnes_cpp", "fc_solve", "solvitaire", "aces_up", "lblsolve", "spider")
    ]
    absent = [str(path) for path in paths if path is not None and not path.exists()]
    if absent:
        parser.error(f"there is nothing at {', '.join(absent)}")
    arguments.page.write_text(page(Run(arguments.share), arguments), encoding="utf-8")
    print(f"written: {arguments.page}")


if __name__ == "__main__":
    main()
