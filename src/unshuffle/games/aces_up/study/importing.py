"""Import of another Aces Up program's wins: the rules replay every line, and our player plays every list again.

That program keeps wins only. So an import is no run: it is in no rate, no comparison and no tournament.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import unshuffle as un
from unshuffle.engine import describe_engine
from unshuffle.errors import Faults, InvalidDealError, ParseError, unknown
from unshuffle.game import AnyGame, Outcome
from unshuffle.games.aces_up import peer
from unshuffle.games.aces_up.moves import Move, ToSpace
from unshuffle.games.aces_up.strategy import RULES, RuleList
from unshuffle.games.aces_up.study.peer_file import PeerBatch, PeerWin, read_peer_file
from unshuffle.store import ImportedBatch, ImportedWin, Store, Strategy
from unshuffle.study.importing import Imported, Progress

GAME = "aces-up"
NUMBERINGS = ("v1", "v2")
FOREIGN = "peer-v2"
"""The prefix of a list that only that program can play."""

Line = tuple[Move, ...]


def import_file(
    store: Store,
    path: str | Path,
    *,
    name: str | None = None,
    numbering: str = "v1",
    progress: Progress | None = None,
) -> Imported:
    """Import a results file, as `study.importing.import_file` does."""
    if numbering not in NUMBERINGS:
        raise unknown("numbering", numbering, NUMBERINGS)
    path = Path(path)
    game = un.game(GAME)
    study = name or path.stem
    found = read_peer_file(path)
    known = store.known_digests()
    new = [batch for batch in found if batch.digest not in known]
    try:
        strategies = _strategies(new, numbering)
        lines = _replay(game, new)
    except InvalidDealError as error:
        error.add_note(f"{str(path)!r} cannot be imported, and nothing was")
        raise
    agreed = _play_again(game, strategies, lines, progress)
    batches = [_batch(batch, path, strategies, lines, agreed) for batch in new]
    stored = store.import_batches(study, batches)
    wins = [win for batch in stored for win in batch.wins]
    return Imported(
        study=study,
        batches=len(stored),
        known=len(found) - len(stored),
        wins=len(wins),
        decks=len({win.deck for win in wins}),
        strategies=len({win.strategy for win in wins}),
        compared=sum(win.agrees is not None for win in wins),
        agreed=sum(win.agrees is True for win in wins),
        differing=tuple(win.number for win in wins if win.agrees is False),
    )


def _strategies(batches: Sequence[PeerBatch], numbering: str) -> dict[str, Strategy]:
    """Return each list of the file with our strategy for it."""
    faults = Faults()
    found = {}
    for rules in dict.fromkeys(win.rules for batch in batches for win in batch.wins):
        try:
            found[rules] = _foreign(rules) if numbering == "v2" else _own(rules)
        except ParseError as error:
            faults.add(str(error))
    faults.check()
    return found


def _own(rules: str) -> Strategy:
    numbers = peer.read_numbers(rules)
    later = [str(number) for number in numbers if number in peer.V2_NUMBERS and number not in RULES]
    if later:
        raise ParseError(
            f"the list {rules}: {', '.join(later)} is a number of that program's versions 2.x; say --numbering v2"
        )
    # That program passes over numbers that it does not know.
    defined = tuple(number for number in numbers if number in RULES)
    if not defined:
        raise ParseError(f"the list {rules}: none of its numbers is a rule; rules are {' '.join(map(str, RULES))}")
    entered = RuleList(defined)
    reduced = ",".join(map(str, entered.reduced().rules))
    return Strategy(f"rules:{entered.text}", reduced, entered.dialect)


def _foreign(rules: str) -> Strategy:
    return Strategy(f"{FOREIGN}:{','.join(map(str, peer.read_numbers(rules)))}")


def _replay(game: AnyGame, batches: Sequence[PeerBatch]) -> dict[PeerWin, Line]:
    """Return every line as our moves; each must be allowed by the rules and won at its end."""
    faults = Faults()
    lines = {}
    for win in (win for batch in batches for win in batch.wins):
        try:
            line, end = peer.follow(game.start(win.deck), win.steps)
        except ParseError as error:
            faults.add(f"solutions row {win.number}, moves: {error}")
            continue
        if end.outcome is not Outcome.WON:
            faults.add(f"solutions row {win.number}: its moves discard {end.score} cards, and a win discards 48")
        lines[win] = line
    faults.check()
    return lines


def _play_again(
    game: AnyGame,
    strategies: Mapping[str, Strategy],
    lines: Mapping[PeerWin, Line],
    progress: Progress | None,
) -> dict[PeerWin, bool]:
    """Return for each win whether our player makes the same game; wins of foreign lists are left out."""
    by_list: dict[str, list[PeerWin]] = {}
    for win in lines:
        if strategies[win.rules].dialect is not None:
            by_list.setdefault(strategies[win.rules].policy, []).append(win)
    agreed: dict[PeerWin, bool] = {}
    wanted = sum(map(len, by_list.values()))
    for policy, wins in by_list.items():
        games = un.simulate(game, policy, states=[game.start(win.deck) for win in wins])
        for win, played in zip(wins, games, strict=True):
            same = played.won and played.moves == lines[win]
            agreed[win] = same and _counts(win.rule_counts) == dict(played.rule_counts)
            if progress is not None:
                progress(len(agreed), wanted)
    return agreed


def _counts(text: str) -> dict[int, int] | None:
    try:
        return peer.read_rule_counts(text)
    except ParseError:
        return None


def _batch(
    batch: PeerBatch,
    path: Path,
    strategies: Mapping[str, Strategy],
    lines: Mapping[PeerWin, Line],
    agreed: Mapping[PeerWin, bool],
) -> ImportedBatch:
    wins = []
    for win in batch.wins:
        agrees = agreed.get(win)
        wins.append(
            ImportedWin(
                number=win.number,
                deck=win.deck,
                strategy=strategies[win.rules],
                score=48,
                tableau_moves=sum(isinstance(move, ToSpace) for move in lines[win]),
                agrees=agrees,
                moves=None if agrees else " ".join(move.token for move in lines[win]),
                rule_counts=None if agrees else win.rule_counts,
            )
        )
    runtime = batch.settings["runtime"]
    return ImportedBatch(
        game=GAME,
        variant=un.game(GAME).variant,
        settings=batch.settings,
        engine=describe_engine(),
        source=path.name,
        digest=batch.digest,
        seconds=float(runtime) if isinstance(runtime, int | float) else None,
        entries=[(rules, strategies[rules]) for rules in dict.fromkeys(win.rules for win in batch.wins)],
        wins=wins,
    )
