"""What the tests of environments share: comparing all that they return, and choosing actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def assert_same(one: Any, other: Any, path: str = "") -> None:
    """Equal arrays of equal types, or equal values, however deep. `deal` is told by single environments only."""
    if isinstance(one, dict):
        assert isinstance(other, dict)
        keys = [{key for key in found if key not in ("deal", "_deal")} for found in (one, other)]
        assert keys[0] == keys[1], path
        for key in keys[0]:
            assert_same(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, np.ndarray) and one.dtype == object:
        assert isinstance(other, np.ndarray)
        assert one.shape == other.shape, path
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            assert_same(left, right, f"{path}[{place}]")
    elif isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray)
        assert (one.dtype, one.shape) == (other.dtype, other.shape), path
        np.testing.assert_array_equal(one, other, path)
    else:
        assert (type(one), one) == (type(other), other), path


def some_action(rng: np.random.Generator, mask: NDArray[np.int8], invalid: float = 0.1) -> int:
    """A legal action, or now and then any."""
    legal = np.flatnonzero(mask)
    if rng.random() < invalid or not len(legal):
        return int(rng.integers(len(mask)))
    return int(rng.choice(legal))
