"""What no test runs, and why; and what is made smaller before it is run."""

from __future__ import annotations

INSTALL = "installs things; tests/test_install.py does it where it can be done without the network"
CLUSTER = "starts a cluster that stays; tests/study/test_dask.py starts one and ends it"
HOURS = "hours of work; tests/study/test_studies.py plays the beginning of every plan"
WRITES = "writes the page itself again, from the whole study"

UNRUN: dict[str, dict[str, str]] = {
    "README.md": {"python3 -m venv": INSTALL, "make test": "is running"},
    "tour.md": {"python3 -m venv": INSTALL, ".venv/bin/pip": INSTALL},
    "benchmarks.md": {"make bench": "half an hour; tests/test_benches.py makes the page from small figures"},
    "clusters.md": {
        "dask scheduler": CLUSTER,
        "dask worker": CLUSTER,
        "--dask tcp://HOST:8786": CLUSTER,
        "from dask_jobqueue": "needs a batch system",
    },
    "envs/training.md": {"examples/train.py": "minutes, and it needs the extra `train`, which brings torch"},
    "howto/study-on-a-cluster.md": {
        "pip install": INSTALL,
        "dask scheduler": CLUSTER,
        "dask worker": CLUSTER,
        "--dask tcp://HOST:8786": CLUSTER,
    },
    "howto/train-an-agent.md": {"from sb3_contrib": "needs the extra `train`, which brings torch"},
    "published.md": {"python studies/published_page.py": WRITES},
    "results/aces-up-lists.md": {
        "unshuffle tournament aces-up --all": HOURS,
        "python studies/aces_up_lists.py": WRITES,
    },
    "results/agnes-masten.md": {
        "unshuffle study run studies/agnes.toml": HOURS,
        "python studies/agnes_masten.py": WRITES,
    },
    **{
        f"results/{study}.md": {f"unshuffle study run studies/{study}.toml": HOURS}
        for study in (
            "aces-up",
            "aces-up-players",
            "agnes",
            "belle-lucie-open",
            "belle-lucie-players",
            "gaps",
            "gaps-players",
            "spider",
            "spider-players",
        )
    },
}
"""By page: what a line of a console or script, or a block of Python, has in it; and why it is not run."""

SMALLER: dict[str, tuple[tuple[str, str], ...]] = {
    # Deal 30 is won soon on both engines.
    "from-quagnes.md": (
        ("0..9999", "30..30"),
        ("range(10_000)", "range(30, 31)"),
        ('12345, "python"), 1000', '12345, "python"), 20'),
        ("12345#1..1000", "12345#1..20"),
    ),
    "studies.md": (("0..999", "0..99"),),
    "results/belle-lucie.md": (("0..199999", "0..1"),),
}
"""By page: thousands that become few in scripts and Python. Elsewhere the rule in `running.py` does it."""

NATIVE: dict[str, str] = {
    "howto/test-a-strategy.md": "ten thousand games of two lists take a minute in Python",
    "howto/train-an-agent.md": "a thousand tables take a minute in Python",
    "from-gapbeater.md": "the Python search does not win this board within a minute",
    "tour.md": "ten thousand deals take long in Python",
    "review.md": "which win is found, and so what it passes through, is each search's own",
    "results/belle-lucie.md": "the players work out three deals of every game, in four variants",
    "winnable.md": "the panel takes minutes in Python",
}
"""Pages whose examples take too long without the engine."""

NEEDS: dict[str, str] = {"envs/episodes.md": "minari"}
"""Pages whose examples need a package that is new in the extra `dev`: skipped without it, but not in CI."""

DIFFERS: dict[str, tuple[str, ...]] = {
    # Which line is shown for a lost deal is the engine's affair.
    "from-quagnes.md": (r"Score: \d+ of 52 cards up, \d+ left",),
}
"""By page: what else may differ between the engines."""
