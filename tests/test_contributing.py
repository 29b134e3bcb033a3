"""The game that the guide builds: it keeps every law, and every command that the guide names works with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

import unshuffle as un
from tests.cli.conftest import Run, run
from tests.docs.pages import blocks, read
from tests.docs.test_loaded_game import ask, said
from tests.laws import ROOT, hold
from tests.roundabout import Roundabout
from unshuffle import Hooks, registry
from unshuffle.cards import PACK, format_cards
from unshuffle.laws import LAWS
from unshuffle.laws.search import OFFERED
from unshuffle.manifest import Manifest
from unshuffle.places import Form

pytestmark = pytest.mark.one_engine("checks what surrounds the engine, not its answers")

__all__ = ["run"]  # the fixture

PAGE = "howto/add-a-game.md"


@pytest.fixture
def file(tmp_path: Path, own_registry: dict[str, Any]) -> Path:
    """The file that the reader saves."""
    [block] = [block for block in blocks(PAGE) if block.title == "aces_out.py"]
    path = tmp_path / "aces_out.py"
    path.write_text(block.text, encoding="utf-8")
    return path


def test_the_new_game_works_in_every_command(
    run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNSHUFFLE_STORE", "s.sqlite")
    for name in said(PAGE, 0) - {"study", "serve"} | {"study run"}:
        ended = run(*ask(name, "aces-out"), "--load", file, stdin="q\n")
        assert ended.code in ((0, 1, 3) if name in ("solve", "verify") else (0,)), (name, ended.err)
        assert "aces-out" in (ended.out + ended.err).lower() or name == "verify"


def test_the_new_game_keeps_the_laws(file: Path) -> None:
    [loaded] = un.load(file)
    for variant in loaded.variants:
        game = un.game(loaded.id, variant)
        for law in LAWS:
            for seed in range(4 if law.concerns(game) else 0):
                hold(law, game, seed)


def test_a_faulty_table_of_the_new_game_is_told(file: Path) -> None:
    """Without a line of its own for it."""
    [game] = un.load(file)
    with pytest.raises(un.InvalidDealError) as caught:
        game.parse("KS 1X\nKS QS\nTH\n")
    assert [str(fault) for fault in caught.value.faults] == [
        "line 1, column 4: '1X' is not a card; expected a rank A 2-9 T J Q K, then a suit C D H S",
        "line 2, column 1: 'KS' is on the table twice (first at line 1, column 1)",
        "hearts: JH QH KH are nowhere, but TH is in fan 3",
    ]


def test_the_guide_tells_of_every_hook_and_every_part() -> None:
    page = read(PAGE)
    told = [*OFFERED, *Manifest.__dataclass_fields__]
    assert [name for name in told if f"`{name}`" not in page and name != "more_environments"] == []
    for name in ("small_states", "tableau_moves", "charges_moves", "is_stricter", "redeal_class"):
        assert f"`{name}" in page
        assert hasattr(un.Game, name)
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in ("PERFT_DEPTHS", "VARIANT_DEPTHS", "CHANGED", "search_with_restarts", "small_states", "check-game"):
        assert name in guide


def test_the_guide_tells_every_form_and_refuses_wrong_rules(file: Path) -> None:
    page = read(PAGE)
    assert [form for form in get_args(Form) if f"\n| `{form}` | " not in page] == []
    [game] = un.load(file)
    for width in (0, 53):
        with pytest.raises(un.UsageError, match=f"width={width} is not allowed; it may be 1..52"):
            game.with_rules(width=width)
    with pytest.raises(un.ParseError, match="is not a card"):
        game.parse_move("1-2")


def test_the_hooks_of_the_guide_hold_and_save_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On tables where cards go to and fro between piles and cells."""
    told: dict[str, Any] = {}
    [block] = [block for block in blocks(PAGE) if "hooks = Hooks" in block.text]
    exec(block.text, told)
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    registry.register(Roundabout)
    nodes: Counter[bool] = Counter()
    for seed in (1, 2, 3):
        cards = [card for card in PACK if card.rank >= 8]
        Random(seed).shuffle(cards)
        piles = "".join(f"{number + 1}: {format_cards(cards[number::4])}\n" for number in range(4))
        state = Roundabout("open").parse(f"Cells: - -\n{piles}Stock: -\n")
        for has_hooks in (False, True):
            monkeypatch.setattr(Roundabout, "hooks", lambda _, on=has_hooks: told["hooks"] if on else Hooks())
            result = un.solve(state, nodes=20_000)
            assert result.status is un.Status.SOLVED
            nodes[has_hooks] += result.stats.nodes
    assert nodes[True] < nodes[False] / 5


def test_an_export_of_a_game_without_a_move_says_so(run: Run, file: Path, tmp_path: Path) -> None:
    deck = un.game("belle-lucie").deck(un.deals.Source(7))
    load = ("--load", file, "--variant", "wide", "--saves", tmp_path / "saves", "--id", "g")
    run("advise", "aces-out", *load, stdin=f"Deck: {' '.join(map(str, deck))}\nx {tmp_path / 'g.txt'}\nz\n")
    told = (tmp_path / "g.txt").read_text(encoding="utf-8")
    assert "\n# Score 0: no move\n# Lost: 0 of 52, 0 moves.\n#   score 0: 0 moves\n" in told
