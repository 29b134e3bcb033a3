"""The Gymnasium environments. Importing this package registers them.

`import unshuffle.envs` and `gymnasium.make("unshuffle/Spider-v0")`; or all at once,
`gymnasium.make("unshuffle.envs:unshuffle/Spider-v0")`.
"""

from __future__ import annotations

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ModuleNotFoundError(
        "the environments need gymnasium, which is not installed: pip install 'unshuffle[rl]'", name="gymnasium"
    ) from None

from unshuffle.game import AnyGame
from unshuffle.manifest import Manifest
from unshuffle.registry import game, games_with


def _register(name: str, **settings: object) -> None:
    # An id that is taken stays as it is: it may belong to the program that imported this package.
    if name not in gymnasium.registry:
        gymnasium.register(name, **settings)  # type: ignore[arg-type] # as `register` says


DEFAULT = "unshuffle/Patience-v0"
"""The environment of every game with places; its argument `game` names the game."""


def register_environment(game: AnyGame) -> str:
    """Register the environment of a game with Gymnasium and return its id."""
    has = game.has
    _register(
        has.environment_id,
        entry_point=has.environment,
        vector_entry_point=f"{has.environment.removesuffix('Env')}VectorEnv",
        max_episode_steps=has.steps,
    )
    for name, environment, steps in has.more_environments:
        _register(name, entry_point=environment, max_episode_steps=steps)
    return has.environment_id


def register_environments() -> None:
    """Register the environments of all games known so far; call it again after `unshuffle.load`."""
    for name in games_with("environment"):
        register_environment(game(name))


_register(
    DEFAULT,
    entry_point="unshuffle.envs.placed:PatienceEnv",
    vector_entry_point="unshuffle.envs.placed:PatienceVectorEnv",
    max_episode_steps=Manifest().steps,
)
register_environments()
