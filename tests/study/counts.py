"""Counts of wins, and levels of confidence, as Hypothesis draws them."""

from __future__ import annotations

from hypothesis import strategies as st

levels = st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.999])
few = st.integers(0, 60)


@st.composite
def counts(draw: st.DrawFn, most: int = 10**8) -> tuple[int, int]:
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n
