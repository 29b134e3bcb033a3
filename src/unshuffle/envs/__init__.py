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


def _register(name: str, **settings: object) -> None:
    # An id that is taken stays as it is: the foreign one may belong to the program that brought it up.
    if name not in gymnasium.registry:
        gymnasium.register(name, **settings)  # type: ignore[arg-type] # as `register` says


FAMILY = {"spider": "Spider", "agnes": "Agnes", "aces-up": "AcesUp", "belle-lucie": "BelleLucie", "gaps": "Gaps"}
"""The games of whole moves, each as its environment is named: `unshuffle/AcesUp-v0`."""
_STEPS = {"spider": 500, "agnes": 500, "aces-up": 200, "belle-lucie": 500, "gaps": 1000}

for _game, _name in FAMILY.items():
    _module = f"unshuffle.envs.{_game.replace('-', '_')}"
    _register(
        f"unshuffle/{_name}-v0",
        entry_point=f"{_module}:{_name}Env",
        vector_entry_point=f"{_module}:{_name}VectorEnv",
        max_episode_steps=_STEPS[_game],
    )
for _name in ("unshuffle/SpiderSolitare-v0", "spider_solitare/SpiderSolitare-v0"):
    _register(_name, entry_point="unshuffle.envs.spider_solitare:SpiderSolitareEnv", max_episode_steps=750)
