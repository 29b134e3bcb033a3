"""Strategies: the policies of runs, by their text; of a list of rules also its reduced form."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

from unshuffle.errors import UsageError
from unshuffle.registry import game
from unshuffle.store.seals import seal

POLICY = "policy:"
"""The prefix of the method of a policy run."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A policy as it is stored."""

    policy: str
    """Its text: 'rules:2,1,100,10'."""
    reduced: str | None = None
    """A list of rules without those that never move."""
    dialect: str | None = None


def find_strategy(game_id: str, policy: str) -> Strategy:
    """Return the policy, with its reduced form if it is a list in the game's own strategy language."""
    try:
        reduce = game(game_id).own("reduce")
    except UsageError:  # a game from `--load` that is not loaded now
        return Strategy(policy)
    found = None if reduce is None else reduce(policy)
    return Strategy(policy) if found is None else Strategy(policy, *found)


def insert_strategy(db: Connection, game_id: str, policy: str | Strategy) -> int:
    """Return the id of a strategy, inserting it if needed. Must be called within a transaction."""
    text = policy if isinstance(policy, str) else policy.policy
    row = db.execute("SELECT id FROM strategy WHERE game = ? AND policy = ?", (game_id, text)).fetchone()
    if row is None:
        made = find_strategy(game_id, policy) if isinstance(policy, str) else policy
        row = db.execute(
            "INSERT INTO strategy (game, policy, reduced, dialect) VALUES (?, ?, ?, ?) RETURNING id",
            (game_id, made.policy, made.reduced, made.dialect),
        ).fetchone()
        seal(db, "strategy", "id = ?", row)
    return int(row[0])
