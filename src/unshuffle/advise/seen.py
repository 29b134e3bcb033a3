"""Games with hidden cards in the flow: their tables are views, and moves tell the cards that they bring to light.

A person tells them behind the move (`d=JS,9D`), or when they are asked for.
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
    """Moves tell the cards that they bring to light, or these are asked for."""

    dealt_where: ClassVar[str] = "in their order"
    """How the cards of a deal are told."""

    def split_moves(self, text: str) -> list[str]:
        """The words, with cards put to the move that shows them."""
        tokens: list[str] = []
        for word in text.replace(",", " ").split():
            if tokens and split_cards(word):
                last = tokens[-1]
                tokens[-1] = f"{last}{'' if last.endswith('=') else ',' if '=' in last else '='}{word}"
            else:
                tokens.append(word)
        return tokens

    def parse_move(self, token: str, state: Any) -> Any:
        """`2f`, `2f=AC`, `d=JS,9D`. The only card that can come to light need not be told."""
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
        """The cards that are dealt, or those that are turned; of a deal that turns cards these come after it."""
        shown: Shown[Any] = as_shown(move)
        if not hasattr(state, "unseen") or shown.move not in state.legal_moves():
            return ""
        told, dealt = len(shown.cards), state.dealt_by(shown.move)
        if dealt and told < dealt:
            # One that is told in part is refused as it is.
            return "" if told else self.dealt_question(state, dealt)
        piles = list(map(str, state.turns(shown)[max(0, told - dealt) :]))
        if not piles:
            return ""
        return f"The card{'s' * (len(piles) > 1)} turned up on pile{'s' * (len(piles) > 1)} {join(piles)}?"

    def dealt_question(self, state: Any, count: int) -> str:
        """The question for the cards that are dealt."""
        return "The card dealt?" if count == 1 else f"The {count} cards dealt, {self.dealt_where}?"

    def tell(self, state: Any, move: Any, answer: str) -> str:
        """The move with the cards of the answer behind those that are told already."""
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
        """Why these cards cannot come to light, as far as the move that brings them does not say it."""
        return ()

    def verifiable(self, start: Any, tokens: Sequence[str]) -> tuple[Any, Sequence[str], str]:
        """The deal as far as it came to light; cards that nobody saw take the places that are left."""
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
    """Every option is weighed by games with the unseen cards filled in by chance."""

    told_by = ToldCards
    takes_samples = True
    planner: ClassVar[str] = ""
    """The module whose `plan` weighs the options. It is imported when it is asked: opening a save needs no search."""
    words: ClassVar[str] = ""
    """The module with the words of the game, which `claim` and `rules_in_words` ask for."""

    @property
    def rules_in_words(self) -> str:
        """What decides the play."""
        return str(part(self.words).rules_in_words(self.game.rules)) if self.words else super().rules_in_words

    def plan(self, view: Any) -> Plan:
        """The options, the best one first."""
        plan: Plan = part(self.planner).plan(view, is_stopped=self.is_stopped, **self.effort)
        return plan

    def claim(self, view: Any, plan: Plan) -> Iterable[str]:
        """How the game stands, the options, the one that is recommended, and why."""
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
        """The move in words; '' if the game has no other than its token."""
        text = self.game.describe(getattr(view, "table", view), move).text
        return "" if text == move.token else text

    def phase_name(self, state: Any) -> str:
        """How much is left to be dealt."""
        areas = () if self.game.places is None else self.game.places.areas
        stock = next((area for area in areas if area.kind == "stock"), None)
        if stock is None:
            return super().phase_name(state)
        return f"{plural(self.game.board_of(state).size(stock), 'card')} in the {stock.name}"

    def advise(self, view: Any) -> Advice:
        """The options and the best of them."""
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
        """As far as one can see: a move that shows a card ends the line, unless all cards are known."""
        if is_known(view):
            return replay(view.laid(view.unseen) if hasattr(view, "laid") else view.table, moves)
        states = [view]
        for move in moves:
            if states[-1].turned_by(move):
                break
            states.append(states[-1].play(move))
        return Line(tuple(states), tuple(moves))


def read_shown(text: str) -> tuple[Card, ...]:
    """The cards of an answer."""
    faults = Faults()
    words = text.replace(",", " ").split()
    cards = tuple(card for card, _ in read_cards([Token(word, Place(1, 1)) for word in words], faults))
    if faults or not cards:
        raise ParseError(f"{quote(text)}: expected the cards that the move shows, such as JS 9D KD")
    return cards


def _never_shown(rest: Sequence[Card]) -> str:
    """What an export says about cards that nobody saw; "" if there are none."""
    return f"{plural(len(rest), 'card')} {NEVER_SHOWN} and stand in the order of the pack." if rest else ""
