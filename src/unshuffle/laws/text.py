"""Laws of reading and writing: what is written can be read, and means the same."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from random import Random
from typing import Any

from unshuffle.cards import format_cards
from unshuffle.deals import DealId, Source
from unshuffle.errors import InvalidDealError, ParseError
from unshuffle.laws.case import BrokenError, Case, law
from unshuffle.registry import deal, game_of, source_of

_MANGLED = 4
"""How many faulty texts are made from each position."""


@law()
def layouts(case: Case) -> None:
    """`parse` reads what `str` and `wire` write of a state, to the same state and the same text."""
    game = case.game
    for state in case.line():
        for text in (str(state), game.wire(state)):
            if _read(case, text) != state:
                raise BrokenError("`parse` reads the text of the position as another one")
        if str(_read(case, str(state))) != str(state) or game.format(state) != str(state):
            raise BrokenError("the text of the position changes when it is read and written again")
        if "Id:" in game.wire(state):
            raise BrokenError("`wire` writes the id of the deal, which the engine does not know")


def _read(case: Case, text: str) -> Any:
    try:
        return case.game.parse(text)
    except InvalidDealError as error:
        raise BrokenError(f"`parse` refuses the text of the position: {error}") from None


@law()
def faults(case: Case) -> None:
    """Every faulty text raises InvalidDealError or gives a position that reads back; a faulty token ParseError."""
    rng, game = case.rng, case.game
    for state in case.line(3):
        for _ in range(_MANGLED):
            text = _mangle(str(state), rng)
            try:
                read = game.parse(text)
            except InvalidDealError:
                continue
            if game.parse(str(read)) != read:
                raise BrokenError(f"`parse` reads a faulty text as a position that does not read back: {text!r}")
    for text in ("", "??", "1", "-", "x" * 50, "5H>", ">5H", "é", "5H 5H"):
        try:
            move = game.parse_move(text)
        except ParseError:
            continue
        if not isinstance(move.token, str):
            raise BrokenError(f"`parse_move` reads {text!r} as a move whose token is no text")


def _mangle(text: str, rng: Random) -> str:
    """Return the text with one word left out, doubled or replaced."""
    words = text.split(" ")
    place = rng.randrange(len(words))
    words[place : place + 1] = rng.choice(([], [words[place]] * 2, ["1X"], ["-"]))
    return " ".join(words)


@law()
def copies(case: Case) -> None:
    """Every copy and every pickle of a state or a move is equal to it."""
    for state in case.line(6):
        for value in (state, *state.legal_moves()):
            for same in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
                if same != value or hash(same) != hash(value):
                    raise BrokenError(f"a copy or pickle of {value!r} is not equal to it")


@law()
def travels(case: Case) -> None:
    """Every state leads to its game, and a pickled game has the same rules and the same deals."""
    game = case.game
    state = game.deal(case.seed)
    if game_of(state) != game or game_of(state).rules != game.rules:
        raise BrokenError(f"its states belong to {game_of(state)}")
    if source_of(game) is not None:
        same = pickle.loads(pickle.dumps(game))
        if same != game or same.rules != game.rules or same.deal(case.seed) != state:
            raise BrokenError(f"it arrives in another process as {same}")


@law()
def ids(case: Case) -> None:
    """Every deal id, of any generator, deals the same cards again."""
    game, seed = case.game, case.seed
    sources = [Source(seed), Source(seed, number=2), Source(seed, "python")]
    if len(game.pack) == 52:
        sources.append(Source(seed % (2**33 - 1) + 1, "ms"))
    for source in sources:
        case.state = state = game.deal(source)
        if state.id is None or str(DealId.parse(state.id)) != state.id:
            raise BrokenError(f"the id of the deal is {state.id}")
        for same in (deal(state.id), game.parse(f"Id: {state.id}\n")):
            if same != state or same.id != state.id:
                raise BrokenError(f"{state.id} deals other cards when it is read")


@law()
def decks(case: Case) -> None:
    """`Deck:` and the cards of a deal lay out that deal, and every card of the pack lies in it."""
    game = case.game
    case.state = state = game.deal(case.seed)
    deck = game.deck(Source(case.seed))
    # A deck does not contain the redeals; the text may have them beside it.
    redeals = [line for line in game.wire(state).splitlines() if line.startswith("Redeal ")]
    for lines in ([f"Deck: {format_cards(deck)}"], ["deck:", ",".join(card.glyph for card in deck)]):
        if _read(case, "\n".join([*lines, *redeals])) != state:
            raise BrokenError("the deck of the deal is laid out as another one")
    if Counter(game.cards(state)) != Counter(game.pack):
        raise BrokenError("the deal has not just the cards of the pack")
