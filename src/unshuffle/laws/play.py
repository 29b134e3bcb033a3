"""Laws of play: legal moves, conservation of cards, endings, views, descriptions and tokens."""

from __future__ import annotations

from collections import Counter
from random import Random

from unshuffle.cards import format_cards
from unshuffle.errors import IllegalMoveError, ParseError
from unshuffle.game import Outcome
from unshuffle.laws.case import BrokenError, Case, law

_TRIED = 30
"""How many moves of other positions are tried on each position."""


@law()
def legal_moves(case: Case) -> None:
    """`play` accepts what `legal_moves` lists, and raises IllegalMoveError for anything else."""
    rng, game = case.rng, case.game
    other = Case(game, case.seed ^ 1, case.steps)
    # Moves that are legal in one position are tried in all.
    tried = list(dict.fromkeys(move for each in (case, other) for state in each.line() for move in state.legal_moves()))
    for state in case.line():
        legal = state.legal_moves()
        for move in legal:
            case.play(move)
        for move in rng.sample(tried, min(len(tried), _TRIED)):
            # `parse_move` may read the token as a simpler move that is legal here.
            if move in legal or game.parse_move(move.token, state) in legal:
                continue
            try:
                state.play(move)
            except IllegalMoveError as error:
                if move.token not in str(error) or not error.reason:
                    raise BrokenError(f"the IllegalMoveError of {move.token!r} lacks the token or the reason") from None
            else:
                raise BrokenError(f"`play` accepts {move.token!r}, which `legal_moves` does not list")


@law()
def cards(case: Case) -> None:
    """No move loses a card or doubles one."""
    pack = Counter(case.game.pack)
    for state in case.line():
        lying = Counter(case.game.cards(state))
        if lost := pack - lying:
            raise BrokenError(f"{format_cards(sorted(lost.elements()))} lies nowhere")
        if more := lying - pack:
            raise BrokenError(f"{format_cards(sorted(more.elements()))} lies in more places than the pack has of it")


@law()
def endings(case: Case) -> None:
    """Every game is over when it is won or when no move is left; a won game has the greatest score."""
    game = case.game
    for state in case.line():
        score, most = game.uncharged(state).score, game.most_score
        is_won, can_go_on = state.outcome is Outcome.WON, bool(state.legal_moves()) or state.can_redeal
        if state.outcome is None and not can_go_on:
            raise BrokenError("the outcome is None, but no move is left")
        if state.outcome is Outcome.STUCK and can_go_on:
            raise BrokenError("the outcome is STUCK, but a move is left")
        # A game may be won while cards can still be moved about.
        if is_won and score != most:
            raise BrokenError(f"the game is won with a score of {score}, but `most_score` is {most}")
        if not 0 <= score <= most:
            raise BrokenError(f"the score is {score}; it may be 0..{most}")


@law()
def values(case: Case) -> None:
    """`play` leaves the old state alone, returns equal states for equal moves, and keeps the deal."""
    for state in case.line():
        before = str(state), hash(state)
        for move in state.legal_moves()[-20:]:
            after = state.play(move)
            if after.id != state.id:
                raise BrokenError(f"{move.token!r} changes the id of the deal from {state.id} to {after.id}")
            if after != state.play(move):
                raise BrokenError(f"{move.token!r} leads to another state when it is played again")
            if after == state:
                raise BrokenError(f"{move.token!r} changes nothing")
        if (str(state), hash(state)) != before:
            raise BrokenError("`play` changed the state on which it was called")


@law()
def views(case: Case) -> None:
    """Every view is the same whatever the hidden cards are, and each state that it samples has this view."""
    for state in case.line(5):
        view = state.view()
        sample = view.sample(case.rng)
        if sample.view() != view:
            raise BrokenError("a state that the view samples has another view")
        if sample.legal_moves() != state.legal_moves():
            raise BrokenError("a state that the view samples has other legal moves")
        # The text of the view must not depend on the hidden cards.
        if repr(sample.view().sample(Random(~case.seed)).view()) != repr(view):
            raise BrokenError("the `repr` of the view tells of hidden cards")


@law()
def descriptions(case: Case) -> None:
    """Every position has a picture, and every move a description."""
    for state in case.line():
        if not case.game.picture(state):
            raise BrokenError("the picture is empty")
        for move in state.legal_moves():
            words = case.game.describe(state, move)
            if not words.kind or not words.text:
                raise BrokenError(f"{move.token!r} has no words")


@law()
def tokens(case: Case) -> None:
    """Every legal move has a token of its own without blanks, and `parse_move` is its inverse."""
    game = case.game
    for state in case.line():
        legal = state.legal_moves()
        if twice := [token for token, times in Counter(move.token for move in legal).items() if times > 1]:
            raise BrokenError(f"{twice[0]!r} is the token of two legal moves")
        for move in legal:
            if " " in move.token:
                raise BrokenError(f"the token {move.token!r} has a blank")
            for text, at in ((move.token, None), (move.token, state), (move.token.lower(), state)):
                try:
                    read = game.parse_move(text, at)
                except ParseError as error:
                    raise BrokenError(f"`parse_move` does not read {text!r}: {error}") from None
                if read != move:
                    raise BrokenError(f"`parse_move` reads {text!r} as another move: {read.token!r}")
