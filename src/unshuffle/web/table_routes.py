"""Tables: begin, look, move, take back, play a line, save and open."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Response

import unshuffle as un
from unshuffle.advise.folder import PLAY_FORMAT, check_id, now
from unshuffle.cards import Card
from unshuffle.deals import DealId
from unshuffle.errors import Faults, InvalidDealError, ParseError, UsageError
from unshuffle.game import AnyGame
from unshuffle.layout import read_lines
from unshuffle.play import beginning
from unshuffle.play.table import Table, seen
from unshuffle.solve import can_ask
from unshuffle.web import shapes
from unshuffle.web.asking import OVER, chosen_game
from unshuffle.web.packing import unpack
from unshuffle.web.pictures import paint
from unshuffle.web.room import Room, Seat
from unshuffle.web.showing import count_pack, show_line, show_table
from unshuffle.web.trouble import NotNowError, faults_of, told_for


def routes(room: Room) -> APIRouter:
    """The part of the API that is about tables."""
    router = APIRouter()

    def shown(seat: Seat) -> shapes.Table:
        return show_table(seat.table)

    @router.post("/tables", status_code=201, responses=told_for(400, 409, 413, 415, 422, 503))
    def begin(asked: shapes.NewTable) -> shapes.Table:
        """Begin a game, perhaps with moves that are made at once."""
        game, start, by_chance = _begun(asked)
        table = Table(game, start, room.new_name(), now(), by_chance=by_chance)
        for move in table.read(asked.moves):
            table.play(move)
        return shown(room.add(table))

    @router.get("/tables", responses=told_for())
    def saved() -> list[shapes.Listed]:
        """The saved games, the one that was changed last first."""
        return room.listed()

    @router.get("/tables/{name}", responses=told_for(400, 404))
    def look(name: str) -> shapes.Table:
        """A table as its player sees it."""
        with room.at(name) as seat:
            return shown(seat)

    @router.delete("/tables/{name}", status_code=204, responses=told_for(400, 404, 409, 503))
    def clear(name: str) -> None:
        """Clear a table away, and its save."""
        room.delete(name)

    @router.post("/tables/{name}/moves", responses=told_for(400, 404, 409, 413, 415, 422, 503))
    def move(name: str, asked: shapes.Moves) -> shapes.Table:
        """Make moves, all of them or none."""

        def make(table: Table) -> None:
            if table.state.outcome is not None:
                raise NotNowError(OVER)
            for found in table.read(asked.moves):
                table.play(found)

        return shown(room.change(name, make)[0])

    @router.post("/tables/{name}/undo", responses=told_for(400, 404, 409, 413, 415, 422, 503))
    def undo(name: str, asked: shapes.Count) -> shapes.Table:
        """Take moves back."""
        return shown(room.change(name, lambda table: table.undo(asked.count))[0])

    @router.post("/tables/{name}/redo", responses=told_for(400, 404, 409, 413, 415, 422, 503))
    def redo(name: str, asked: shapes.Count) -> shapes.Table:
        """Make moves again that were taken back."""
        return shown(room.change(name, lambda table: table.redo(asked.count))[0])

    @router.post("/tables/{name}/line", responses=told_for(400, 404, 413, 415, 422))
    def line(name: str, asked: shapes.LineAsked) -> shapes.Frames:
        """Look at a line of play; nothing is changed."""
        with room.at(name) as seat:
            table = seat.table
        states = [table.start if asked.of == "start" else table.state]
        moves = table.read(asked.moves, states[0])
        for each in moves:
            states.append(states[-1].play(each))
        return show_line(table.game, states, moves)

    @router.get(
        "/tables/{name}/save",
        response_class=Response,
        responses=told_for(400, 404, 409, 503)
        | {200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
    )
    def download(name: str) -> Response:
        """The save file, which `unshuffle play --id` opens too. It holds what is hidden on the table."""
        return as_file(name, room.file(name))

    @router.post("/check", responses=told_for(400, 413, 415, 422))
    def check(asked: shapes.CheckAsked) -> shapes.Checked:
        """Read a text as a table: its faults, or its picture."""
        game = chosen_game(asked.game, asked.variant, asked.rules)
        picture, faults, unknown, is_solvable = None, [], "", False
        try:
            state = beginning.parse(game, asked.text)
            picture, unknown = paint(game, seen(state)), beginning.unknown_of(game, state)
            is_solvable = can_ask(state)
        except InvalidDealError as error:
            faults = faults_of(error)
        except (ParseError, UsageError) as error:
            faults = [shapes.Fault(message=str(error))]
        return shapes.Checked(
            faults=faults,
            unknown=unknown,
            is_solvable=is_solvable,
            picture=picture,
            tokens=_tokens(asked.text),
            pack=count_pack(game),
        )

    return router


def as_file(name: str, data: bytes) -> Response:
    """A save as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(data, media_type="application/json", headers=headers)


def _begun(asked: shapes.NewTable) -> tuple[AnyGame, Any, bool]:
    """Return the game and its deal, and whether chance has dealt what a text did not tell."""
    given = [name for name in ("seed", "deal", "text", "start") if getattr(asked, name) is not None]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other")
    if asked.deal is not None:
        state = un.deal(asked.deal)
        parsed = DealId.parse(asked.deal)
        game = un.game(parsed.game, parsed.variant)
        if asked.game not in (None, game.id) or asked.variant not in (None, game.variant) or asked.rules:
            raise UsageError(f"the deal {asked.deal!r} is one of {game}; leave game, variant and rules out")
        return game, state, False
    if asked.game is None:
        raise UsageError("expected a game, or a deal id")
    game = chosen_game(asked.game, asked.variant, asked.rules)
    if asked.start is not None:
        layout, by_chance = unpack(asked.start)
        return game, game.parse(layout), by_chance
    if asked.text is None:
        return game, beginning.dealt(game, asked.seed or ""), False
    state = beginning.parse(game, asked.text)
    unknown = beginning.unknown_of(game, state)
    if unknown and not asked.fill:
        raise UsageError(f"unknown: {unknown}; `fill` deals it by chance, and a job `chance` tells the chance to win")
    return game, beginning.made_whole(game, state), bool(unknown)


def _tokens(text: str) -> list[shapes.Read]:
    """The words of a text, each with its place and the card that it is."""
    found = []
    try:
        lines = read_lines(text, Faults())
    except InvalidDealError:
        return []
    for line in lines:
        for token in line.tokens:
            place = token.place
            found.append(
                shapes.Read(line=place.line, column=place.column, text=token.text, card=_card(token.text.strip("[]")))
            )
    return found


def _card(text: str) -> str | None:
    try:
        return str(Card.parse(text))
    except ParseError:
        return None


SaveFile = Annotated[dict[str, Any], Body(description="A save file, as `save` gives it.")]


def save_name(value: dict[str, Any]) -> str:
    """The id that a save file says it has."""
    name = value.get("id")
    if not isinstance(name, str) or not isinstance(value.get("format"), str):
        raise ParseError("this is not a saved game: it has no id, or no format")
    return check_id(name)


def is_played(value: dict[str, Any]) -> bool:
    """Whether a save file is one of a game that was played here."""
    return value.get("format") == PLAY_FORMAT
