"""Small pieces of SVG, so that a report is one file that needs no library to be drawn or read."""

import base64
import struct
import zlib
from collections.abc import Iterable, Sequence
from html import escape
from math import log10


def number(value: float) -> str:
    """A coordinate with no more digits than an eye can see."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def element(name: str, content: str = "", **attributes: object) -> str:
    """One element; `class_` stands for class and underscores for hyphens."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{said}>{content}</{name}>" if content else f"<{name}{said}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else escape(str(value), quote=True)


def text(x: float, y: float, words: object, *, anchor: str = "start", class_: str = "") -> str:
    return element(
        "text", escape(str(words)), x=float(x), y=float(y), text_anchor=anchor, class_=class_ or None
    )


def line(x1: float, y1: float, x2: float, y2: float, class_: str = "grid") -> str:
    return element("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), class_=class_)


def rect(x: float, y: float, width: float, height: float, *, class_: str, hint: str = "") -> str:
    return element(
        "rect",
        _hint(hint),
        x=float(x),
        y=float(y),
        width=float(max(0.0, width)),
        height=float(max(0.0, height)),
        rx=2,
        class_=class_,
    )


def circle(x: float, y: float, radius: float, *, class_: str, hint: str = "") -> str:
    return element("circle", _hint(hint), cx=float(x), cy=float(y), r=float(radius), class_=class_)


def _hint(hint: str) -> str:
    return element("title", escape(hint)) if hint else ""


def drawing(width: int, height: int, parts: Iterable[str], *, says: str) -> str:
    """A whole drawing that scales with its page; `says` is its text for those who cannot see it."""
    inside = "".join(parts)
    return element("svg", inside, viewBox=f"0 0 {width} {height}", role="img", aria_label=says)


class Scale:
    """From a figure to a coordinate, evenly or by its logarithm."""

    def __init__(self, low: float, high: float, start: float, end: float, *, log: bool = False) -> None:
        self._log = log
        self._low, high = (log10(low), log10(high)) if log else (low, high)
        self._per = (end - start) / (high - self._low)
        self._start = start

    def __call__(self, value: float) -> float:
        return self._start + ((log10(value) if self._log else value) - self._low) * self._per


def picture(rows: Sequence[Sequence[tuple[int, int, int]]]) -> str:
    """A small picture, a pixel per cell, as a PNG inside an address."""
    raw = b"".join(b"\0" + bytes(channel for pixel in row for channel in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, body)
        for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    )
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
