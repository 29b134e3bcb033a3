"""The routes of tables: begin, look, move, undo, show a line, save and check a text."""

from __future__ import annotations

from collections.abc import Callable
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
from unshuffle.web.room import Room
from unshuffle.web.showing import count_pack, show_line, show_table
from unshuffle.web.trouble import NotNowError, faults_of, told_for


def routes(room: Room) -> APIRouter:
    """Return the routes of tables."""
    router = APIRouter()
    _add_tables(router, room)
    _add_moves(router, room)
    _add_files(router, room)
    return router


def _add_tables(router: APIRouter, room: Room) -> None:
    """Add the routes that begin, list, show and delete tables."""

    @router.post("/tables", status_code=201, responses=told_for(400, 409, 413, 415, 422, 503))
    def begin(asked: shapes.NewTable) -> shapes.Table:
        """Begin a game, perhaps with moves that are made at once."""
        game, start, by_chance = _begun(asked)
        table = Table(game, start, room.new_name(), now(), by_chance=by_chance)
        for move in table.read(asked.moves):
            table.play(move)
        return show_table(room.add(table).table)

    @router.get("/tables", responses=told_for())
    def saved() -> list[shapes.Listed]:
        """List the saved games, the last changed first."""
        return room.listed()

    @router.get("/tables/{name}", responses=told_for(400, 404))
    def look(name: str) -> shapes.Table:
        """Return a table as its player sees it."""
        with room.at(name) as seat:
            return show_table(seat.table)

    @router.delete("/tables/{name}", status_code=204, responses=told_for(400, 404, 409, 503))
    def clear(name: str) -> None:
        """Delete a table and its save."""
        room.delete(name)


def _add_moves(router: APIRouter, room: Room) -> None:
    """Add the routes that make moves, take them back and show lines."""

    def changed(name: str, do: Callable[[Table], object]) -> shapes.Table:
        return show_table(room.change(name, do)[0].table)

    @router.post("/tables/{name}/moves", responses=told_for(400, 404, 409, 413, 415, 422, 503))
    def move(name: str, asked: shapes.Moves) -> shapes.Table:
        """Make moves, all of them or none."""
        return changed(name, lambda table: _make(table, asked.moves))

    @router.post("/tables/{name}/undo", responses=told_for(400, 404, 409, 413, 415, 422, 503))
    def undo(name: str, asked: shapes.Count) -> shapes.Table:
        """Take moves back."""
        return changed(name, lambda table: table.undo(asked.count))

    @router.post("/tables/{name}/redo", responses=told_for(400, 404, 409, 413, 415, 422, 503))
    def redo(name: str, asked: shapes.Count) -> shapes.Table:
        """Make moves again that were taken back."""
        return changed(name, lambda table: table.redo(asked.count))

    @router.post("/tables/{name}/line", responses=told_for(400, 404, 413, 415, 422))
    def line(name: str, asked: shapes.LineAsked) -> shapes.Frames:
        """Show a line of play without making its moves."""
        with room.at(name) as seat:
            table = seat.table
        states = [table.start if asked.of == "start" else table.state]
        moves = table.read(asked.moves, states[0])
        for each in moves:
            states.append(states[-1].play(each))
        return show_line(table.game, states, moves)


def _make(table: Table, tokens: list[str]) -> None:
    """Make moves on a table. Raise NotNowError if its game is over."""
    if table.state.outcome is not None:
        raise NotNowError(OVER)
    for move in table.read(tokens):
        table.play(move)


def _add_files(router: APIRouter, room: Room) -> None:
    """Add the routes that download a save and check a text."""

    @router.get(
        "/tables/{name}/save",
        response_class=Response,
        responses=told_for(400, 404, 409, 503)
        | {200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
    )
    def download(name: str) -> Response:
        """Return the save file, which `unshuffle play --id` opens too. It contains the hidden cards."""
        return as_file(name, room.file(name))

    @router.post("/check", responses=told_for(400, 413, 415, 422))
    def check(asked: shapes.CheckAsked) -> shapes.Checked:
        """Read a text as a table, and return its faults or its picture."""
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


def as_file(name: str, data: bytes) -> Response:
    """Return a save file as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(data, media_type="application/json", headers=headers)


def _begun(asked: shapes.NewTable) -> tuple[AnyGame, Any, bool]:
    """Return the game and its deal, and whether unknown cards of a text were dealt at random."""
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
    """Return the words of a text, each with its place and its card."""
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
    """Return the id in a save file. Raise ParseError if it is not a save file."""
    name = value.get("id")
    if not isinstance(name, str) or not isinstance(value.get("format"), str):
        raise ParseError("this is not a saved game: it has no id, or no format")
    return check_id(name)


def is_played(value: dict[str, Any]) -> bool:
    """Return whether a save file is that of a played game."""
    return value.get("format") == PLAY_FORMAT
