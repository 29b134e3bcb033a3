"""Advice on games with hidden cards: their tables are views, and moves name the cards that they reveal.

A person types these cards behind the move (`d=JS,9D`), or when asked for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from unshuffle.advise.adviser import Advice, Adviser
from unshuffle.advise.parts import Told
from unshuffle.advise.record import play
from unshuffle.advise.words import join
from unshuffle.cards import Card, split_cards
from unshuffle.errors import Faults, ParseError, Place, RefusedError, quote
from unshuffle.game import Outcome
from unshuffle.hidden.playing_on import fitting
from unshuffle.hidden.playouts import Plan, against, cut_short, options_table
from unshuffle.layout import NEVER_SHOWN, Token, read_cards
from unshuffle.manifest import part
from unshuffle.numbers import plural
from unshuffle.solve import Line, Status, replay
from unshuffle.views import Shown, as_shown, is_known

ALL_KNOWN = "All cards are known, so a search has the last word."


class ToldCards(Told):
    """Moves that name the cards they reveal; the person is asked for missing ones."""

    dealt_where: ClassVar[str] = "in their order"
    """The order in which the person types the cards of a deal, as the question words it."""

    def split_moves(self, text: str) -> list[str]:
        """Return the tokens, with cards appended to the move that reveals them."""
        tokens: list[str] = []
        for word in text.replace(",", " ").split():
            if tokens and split_cards(word):
                last = tokens[-1]
                tokens[-1] = f"{last}{'' if last.endswith('=') else ',' if '=' in last else '='}{word}"
            else:
                tokens.append(word)
        return tokens

    def parse_move(self, token: str, state: Any) -> Any:
        """Return the move of `2f`, `2f=AC` or `d=JS,9D`. If only one card can be revealed, it need not be named."""
        if not hasattr(state, "unseen"):
            return super().parse_move(token, state)
        bare, equals, told = token.partition("=")
        move = self.game.parse_move(bare)
        if equals:
            return Shown(move, read_shown(told))
        if is_known(state) and move in state.legal_moves() and (count := state.turned_by(move)):
            return Shown(move, state.unseen[:count])
        return move

    def asks(self, state: Any, move: Any) -> str:
        """Return the question for the cards that are dealt, or for those turned up; after a deal these come second."""
        shown: Shown[Any] = as_shown(move)
        if not hasattr(state, "unseen") or shown.move not in state.legal_moves():
            return ""
        told, dealt = len(shown.cards), state.dealt_by(shown.move)
        if dealt and told < dealt:
            # A deal that names only some of its cards is not completed by a question: the rules refuse it.
            return "" if told else self.dealt_question(state, dealt)
        piles = list(map(str, state.turns(shown)[max(0, told - dealt) :]))
        if not piles:
            return ""
        return f"The card{'s' * (len(piles) > 1)} turned up on pile{'s' * (len(piles) > 1)} {join(piles)}?"

    def dealt_question(self, state: Any, count: int) -> str:
        """Return the question for the cards that are dealt."""
        return "The card dealt?" if count == 1 else f"The {count} cards dealt, {self.dealt_where}?"

    def tell(self, state: Any, move: Any, answer: str) -> str:
        """Return the token of the move with the cards of the answer behind those already named."""
        try:
            cards = read_shown(answer)
        except ParseError as error:
            raise RefusedError(str(error)) from None
        before: Shown[Any] = as_shown(move)
        after = Shown(before.move, before.cards + cards)
        count, told = state.turned_by(after), len(after.cards)
        faults = list(self.faults_of(state, after.cards))
        if told < state.dealt_by(after.move) or told > count:
            faults.insert(0, f"{plural(len(cards), 'card')}, expected {count - len(before.cards)}")
        if faults:
            raise RefusedError("; ".join(faults))
        return after.token

    def faults_of(self, state: Any, cards: Sequence[Card]) -> Iterable[str]:
        """Yield why these cards cannot be revealed, beyond the faults that the move itself reports."""
        return ()

    def verifiable(self, start: Any, tokens: Sequence[str]) -> tuple[Any, Sequence[str], str]:
        """Return the deal with the revealed cards in place; cards that nobody saw take the places that are left."""
        if not hasattr(start, "unseen"):
            return super().verifiable(start, tokens)
        view, dealt, bare = start, list[Card](), list[str]()
        piles: list[list[Card | None]] = [[None] * down for down in start.down]
        for token in tokens:
            move = self.parse_move(token, view)
            shown: Shown[Any] = as_shown(move)
            if hasattr(view, "unseen"):
                count = view.dealt_by(shown.move)
                dealt += shown.cards[:count]
                for number, card in zip(view.turns(shown), shown.cards[count:], strict=True):
                    piles[number - 1][view.down[number - 1] - 1] = card
            bare.append(shown.move.token)
            view = play(view, move)
        told = Counter(card for pile in piles for card in pile if card is not None) + Counter(dealt)
        unseen = list((Counter(start.unseen) - told).elements())
        rest = iter(unseen)
        order = [next(rest) if card is None else card for pile in piles for card in pile]
        return start.laid([*order, *dealt, *rest]), bare, _never_shown(unseen)


class SeenAdviser(Adviser):
    """The adviser that evaluates every option by playouts with the unseen cards sampled."""

    told_by = ToldCards
    takes_samples = True
    planner: ClassVar[str] = ""
    """The module whose `plan` evaluates the options. It is imported on first use: opening a save needs no search."""
    words: ClassVar[str] = ""
    """The module with the words of the game for `claim` and `rules_in_words`."""

    @property
    def rules_in_words(self) -> str:
        """The rules that decide the play, in words."""
        return str(part(self.words).rules_in_words(self.game.rules)) if self.words else super().rules_in_words

    def plan(self, view: Any) -> Plan:
        """Return the plan with its options, the best one first."""
        plan: Plan = part(self.planner).plan(view, is_stopped=self.is_stopped, **self.effort)
        return plan

    def claim(self, view: Any, plan: Plan) -> Iterable[str]:
        """Yield how the game stands, the options, the recommended one, and why."""
        words = part(self.words)
        yield words.standing(view)
        if not plan.options:
            yield words.WON if fitting(view).outcome is Outcome.WON else "No move is left: the game is lost."
            return
        yield ""
        yield from options_table(plan.options, lambda move: self._told(view, move))
        yield ""
        yield from words.method(plan) if plan.status is None else [ALL_KNOWN]
        if plan.status is Status.SOLVED:
            yield f"Winnable now: {plural(len(plan.moves), 'move')}."
        elif plan.status is Status.UNSOLVABLE:
            yield f"This game cannot be won any more (proved); {words.lost(plan)}."
        else:
            if plan.status is not None:
                yield from cut_short(plan.options, self.game.score_counts)
            first, *others = plan.options
            beside = against(first, others[0], self.game.score_counts or "points") if others else ", the only move"
            yield f"Recommended: {first.move.token}{'' if words.is_safe(view, first.move) else beside}."
            reasons = list(words.reasons(view, first.move)) if others else []
            yield from [f"Why: {join(reasons)}."] * bool(reasons)

    def _told(self, view: Any, move: Any) -> str:
        """Return the move in words; '' if the game has no words beyond its token."""
        text = self.game.describe(getattr(view, "table", view), move).text
        return "" if text == move.token else text

    def phase_name(self, state: Any) -> str:
        """Return how many cards are left in the stock."""
        areas = () if self.game.places is None else self.game.places.areas
        stock = next((area for area in areas if area.kind == "stock"), None)
        if stock is None:
            return super().phase_name(state)
        return f"{plural(self.game.board_of(state).size(stock), 'card')} in the {stock.name}"

    def advise(self, view: Any) -> Advice:
        """Return the options and the best of them as advice."""
        plan = self.plan(view)
        best = plan.options[0] if plan.options else None
        ends = {Status.SOLVED: "won", Status.UNSOLVABLE: "lost"}.get(plan.status, "next") if plan.status else "next"
        over = float(fitting(view).outcome is Outcome.WON)
        values = {
            "win_chance": best.chance if best else over,
            "win_chance_low": best.low if best else over,
            "win_chance_high": best.high if best else over,
            "options": [option.values for option in plan.options],
            "seconds": plan.seconds,
        }
        chance = best.with_error if best else None
        return Advice(plan.moves, ends, chance, tuple(self.claim(view, plan)), "", (), values)

    def foresee(self, view: Any, moves: Sequence[Any]) -> Line:
        """Return the plan as a line. A move that reveals a card ends its states, unless all cards are known."""
        if is_known(view):
            return replay(view.laid(view.unseen) if hasattr(view, "laid") else view.table, moves)
        states = [view]
        for move in moves:
            if states[-1].turned_by(move):
                break
            states.append(states[-1].play(move))
        return Line(tuple(states), tuple(moves))


def read_shown(text: str) -> tuple[Card, ...]:
    """Return the cards of an answer. ParseError if a word is not a card."""
    faults = Faults()
    words = text.replace(",", " ").split()
    cards = tuple(card for card, _ in read_cards([Token(word, Place(1, 1)) for word in words], faults))
    if faults or not cards:
        raise ParseError(f"{quote(text)}: expected the cards that the move shows, such as JS 9D KD")
    return cards


def _never_shown(rest: Sequence[Card]) -> str:
    """Return the export's remark on cards that nobody saw; "" if there are none."""
    return f"{plural(len(rest), 'card')} {NEVER_SHOWN} and stand in the order of the pack." if rest else ""
