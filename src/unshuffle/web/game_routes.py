"""The routes of the games with their rules, and of the server's limits."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from threading import Lock

from fastapi import APIRouter

import unshuffle as un
from unshuffle.advise import adviser_of
from unshuffle.engine import describe_engine
from unshuffle.errors import UsageError
from unshuffle.game import AnyGame
from unshuffle.rulebook import field_docs, write_rules, write_value
from unshuffle.web import shapes
from unshuffle.web.settings import Settings
from unshuffle.web.trouble import told_for

_FEW = 20
"""The most values of a rule that are offered as a list."""

_reading = Lock()


def routes(settings: Settings) -> APIRouter:
    """Return the routes of the games and of the server's limits."""
    router = APIRouter()

    @router.get("/about", responses=told_for())
    def about() -> shapes.About:
        """Return the version, the engine and the limits."""
        limits = shapes.LimitsTold(
            seconds=settings.seconds, memory=settings.memory_of_job, jobs=settings.jobs, body=settings.body
        )
        return shapes.About(
            version=un.__version__,
            engine=describe_engine(),
            limits=limits,
            saves=settings.saves.name,
            store=settings.store.exists(),
        )

    @router.get("/games", responses=told_for())
    def games() -> list[shapes.GameTold]:
        """List the games with their variants and rules."""
        # The help of rules is parsed from their source. Python's parser counts its recursion depth for all threads
        # together, so two threads in it at once can raise a SystemError.
        with _reading:
            return [_told(un.game(name)) for name in un.games()]

    return router


@cache
def _told(game: AnyGame) -> shapes.GameTold:
    from unshuffle.simulate import policies

    adviser = adviser_of(game)
    try:
        adviser.typed.check()
        is_typed = True
    except UsageError:
        is_typed = False
    return shapes.GameTold(
        id=game.id,
        name=game.name,
        summary=game.summary,
        entry_help=game.how_typed,
        score_counts=game.score_counts,
        variants=[shapes.Variant(id=slug, rules=write_rules(rules)) for slug, rules in game.variants.items()],
        rules=_rules(game),
        advises=is_typed,
        has_redeals=adviser.redeals is not None,
        policies=list(policies(game)),
    )


def _rules(game: AnyGame) -> list[shapes.Rule]:
    rules = next(iter(game.variants.values()))
    docs = field_docs(type(rules))
    allowed = getattr(rules, "allowed", {})
    found = []
    for field in fields(rules):
        values = allowed.get(field.name, range(_FEW + 1))
        found.append(
            shapes.Rule(
                name=field.name,
                help=docs.get(field.name, ""),
                default=write_value(getattr(rules, field.name)),
                values=[write_value(value) for value in values] if len(values) <= _FEW else None,
            )
        )
    return found
