"""The start of a typed game, encoded for a link: short, and with no card readable at a glance."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from unshuffle.errors import ParseError
from unshuffle.layout import MOST_CHARACTERS


def pack(layout: str, *, by_chance: bool) -> str:
    """Return the layout text, and whether a part was dealt at random, in URL-safe characters."""
    data = json.dumps([layout, by_chance], ensure_ascii=False).encode()
    return urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def unpack(text: str) -> tuple[str, bool]:
    """Return the arguments of `pack`. Raise ParseError for any other text."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        reader = zlib.decompressobj()
        # Limits the output, so that a small text cannot unpack to a huge one.
        value: Any = json.loads(reader.decompress(data, 4 * MOST_CHARACTERS))
        layout, by_chance = value
    except (ValueError, TypeError, zlib.error, RecursionError):
        raise ParseError("the start of this game cannot be read: the link is cut off, or was changed") from None
    if not reader.eof or not isinstance(layout, str) or not isinstance(by_chance, bool):
        raise ParseError("the start of this game cannot be read: the link is cut off, or was changed")
    return layout, by_chance
