"""Commands and plan files that make a stored study again.

Each is parsed again and compared with the store before it is shown.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, product
from typing import Any

import unshuffle as un
from unshuffle.deals import OURS
from unshuffle.errors import ParseError, UsageError
from unshuffle.hidden.policy import policy_file
from unshuffle.registry import load_option
from unshuffle.store import DECKS, Run, RunSpec
from unshuffle.study.plan import POLICY, SOLVER, has_implications, make_parts
from unshuffle.study.planfile import plan_parts
from unshuffle.terminal import in_shell

_LONGEST_COMMAND = 400
"""Characters. A longer command is written as a plan file."""
_LONGEST_LINE = 100
_SIZES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_FLAGS = {"solver": "--solver", "maximize": "--maximize", "moves": "--moves"}

Options = dict[str, Any]
"""The options of `study run` by their names in a plan file."""


@dataclass(frozen=True, slots=True)
class Remaking:
    """A command or a plan that makes the same runs."""

    text: str
    is_plan: bool
    """True for a plan file in TOML, False for a command line."""
    load: str = ""
    """The options ' --load FILE' of the command line, for the files that define games and policies."""
    fault: str | None = None
    """Why the runs would not be the same here; None if they are."""


def remake(study: str, runs: Sequence[Run]) -> Remaking | None:
    """Return what makes these runs again; None for games on stored decks, which have no seeds, and without runs."""
    if not runs or any(run.generator == DECKS for run in runs):
        return None
    groups = [options for _, same in groupby(runs, _shared) for options in _fold(list(same))]
    load = loading(runs)
    command = _write_command(study, groups[0]) + load
    # Such a name would be read as a plan file, or as an option.
    is_plan = len(groups) > 1 or len(command) > _LONGEST_COMMAND or study.endswith(".toml") or study.startswith("-")
    # On the command line a comma separates variants.
    is_plan = is_plan or any("," in run.variant for run in runs)
    text = _write_plan(study, groups) if is_plan else command
    return Remaking(text, is_plan, load, _find_fault(text if is_plan else None, groups, runs))


def loading(runs: Iterable[RunSpec]) -> str:
    """Return ' --load FILE' for the files that define the games and policies of these runs; '' if all are built in."""
    runs = list(runs)
    files = [policy_file(run.game, run.method.removeprefix(POLICY)) for run in runs if run.method != SOLVER]
    return load_option(*(run.game for run in runs), files=files)


def _shared(run: Run) -> Options:
    """Return the options of a run that a command gives once for all its runs."""
    who: Options = {"solver": True} if run.method == SOLVER else {"policy": []}
    options: Options = {"game": run.game, "variant": []} | who | {"seeds": f"{run.first_seed}..{run.last_seed}"}
    if run.generator != OURS:
        options["generator"] = run.generator
    if run.method != SOLVER:
        return options
    # Written even if they are the defaults, which may change. 0 is no limit.
    options["nodes"] = run.nodes_limit or 0
    seconds = run.seconds_limit or 0
    options["seconds"] = int(seconds) if seconds == int(seconds) else seconds
    if run.memory_limit is not None:
        options["memory"] = _write_size(run.memory_limit)
    if run.maximize:
        options["maximize"] = True
    if run.keeps_moves:
        options["moves"] = True
    elif run.replay != "sample":
        options["replay"] = run.replay
    if not run.infers and _may_infer(run.game):
        options["infer"] = False
    return options


def _may_infer(game: str) -> bool:
    try:
        return has_implications(un.game(game))
    except UsageError:  # a game from `--load` that is not loaded
        return False


def _all_variants(game: str) -> list[str]:
    try:
        return list(un.game(game).variants)
    except UsageError:
        return []


def _write_size(size: int) -> str:
    return next((f"{size // unit}{name}" for unit, name in _SIZES if size % unit == 0), str(size))


def _fold(runs: Sequence[Run]) -> Iterator[Options]:
    """Yield options of runs that differ in variant and policy only: one set if all are combined, else one a variant."""
    shared = _shared(runs[0])
    pairs = [(run.variant, run.method) for run in runs]
    variants, methods = (list(dict.fromkeys(each)) for each in zip(*pairs, strict=True))
    if pairs == list(product(variants, methods)):
        yield _complete(shared, variants, methods)
    else:
        for variant, same in groupby(pairs, lambda pair: pair[0]):
            yield _complete(shared, [variant], [method for _, method in same])


def _complete(shared: Options, variants: Sequence[str], methods: Sequence[str]) -> Options:
    is_all = len(variants) > 1 and list(variants) == _all_variants(shared["game"])
    options = shared | {"variant": ["all"] if is_all else list(variants)}
    if "policy" in options:
        options["policy"] = [method.partition(":")[2] for method in methods]
    return options


def _write_command(study: str, options: Options) -> str:
    words = ["unshuffle", "study", "run", in_shell(study)]
    for name, value in options.items():
        if name in _FLAGS:
            words.append(_FLAGS[name])
        elif name == "infer":
            words.append("--no-infer")
        elif name == "policy":
            # An option for each, as the text of a policy may have commas.
            words += [word for policy in value for word in ("--policy", in_shell(policy))]
        else:
            words += [f"--{name}", in_shell(",".join(value) if isinstance(value, list) else str(value))]
    return " ".join(words)


def _write_plan(study: str, groups: Sequence[Options]) -> str:
    lines = [f"name = {_toml(study)}"]
    common = {name: value for name, value in groups[0].items() if all(each.get(name) == value for each in groups)}
    if len(groups) == 1:
        return "\n".join([*lines, *_toml_lines(common)]) + "\n"
    # The method is written with each run, even if it is the same for all.
    common = {name: value for name, value in common.items() if name not in ("solver", "policy")}
    lines += _toml_lines(common)
    for options in groups:
        own = {name: value for name, value in options.items() if name not in common}
        lines += ["", "[[run]]", *_toml_lines(own)]
    return "\n".join(lines) + "\n"


def _toml_lines(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        if not isinstance(value, list) or len(value) == 1:
            yield f"{name} = {_toml(value[0] if isinstance(value, list) else value)}"
            continue
        texts = list(map(_toml, value))
        line = f"{name} = [{', '.join(texts)}]"
        if len(line) <= _LONGEST_LINE:
            yield line
        else:
            yield from (f"{name} = [", *(f"  {text}," for text in texts), "]")


def _toml(value: str | int | float | bool) -> str:
    # Strings, numbers and truth values in JSON are valid TOML.
    return json.dumps(value, ensure_ascii=False)


def _find_fault(plan: str | None, groups: Sequence[Options], runs: Sequence[Run]) -> str | None:
    """Parse the plan or the options again; return how the runs differ, whatever engine would play them, or None."""
    try:
        if plan is not None:
            parts = plan_parts(tomllib.loads(plan))
        else:
            (options,) = groups
            parts = make_parts(**options | {"variant": ",".join(options["variant"])})
        same = [_planned(part.spec()) for part in parts] == [_planned(run) for run in runs]
    except (UsageError, ParseError) as error:
        return f"unshuffle {un.__version__} refuses it here ({error})"
    return None if same else f"by unshuffle {un.__version__} its runs are not these: rules or options have changed"


def _planned(run: RunSpec) -> dict[str, Any]:
    left_out = ("engine", "package_version", "id", "study", "created")
    return {name: value for name, value in asdict(run).items() if name not in left_out}
