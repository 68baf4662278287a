"""Draws the Chinese signs of layouts and signs as outlines: `python -m frontend.felt_signs` writes them anew.

A picture that leaves the house has no fonts with it, and a bare machine has none for Chinese. The outlines
are of Noto Serif TC and SC Bold (SIL Open Font License 1.1), in units of a thousandth of the size.
"""

import io
import json
import tomllib
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from frontend.fonts import PACKAGES

from taisai.rulebooks import felt_words

HERE = Path(__file__).parent.parent
OUT = HERE / "src" / "taisai" / "rulebooks" / "data" / "felt-signs.json"
WORDS = HERE / "src" / "taisai" / "game" / "catalogues" / "zh-Hant.toml"
PACKAGES_USED = ("noto-serif-tc", "noto-serif-sc")
FIRST_CHINESE = 0x2E80


def wanted() -> list[str]:
    """Every Chinese sign that a layout or a table's sign may print."""
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    printed = [*words["boxes"].values(), *words["kinds"].values(), *words["sign"].values()]
    printed += [words["terms"][key] for key in ("every-box", "other-boxes", "big-small", "odd-even")]
    printed += felt_words.every_mark()
    return sorted({sign for text in printed for sign in text if ord(sign) >= FIRST_CHINESE})


def main() -> None:
    missing, outlines = set(wanted()), {}
    for package in PACKAGES_USED:
        for path in sorted((PACKAGES / package / "files").glob(f"{package}-*-wght-normal.woff2")):
            here = set(map(chr, TTFont(path, lazy=True).getBestCmap())) & missing
            if here:
                outlines |= _outlines(path.read_bytes(), here)
                missing -= here
    if missing:
        raise SystemExit(f"{', '.join(PACKAGES_USED)} have no {''.join(sorted(missing))}")
    OUT.write_text(
        json.dumps(outlines, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8"
    )


def _outlines(data: bytes, signs: set[str]) -> dict[str, str]:
    font = instantiateVariableFont(TTFont(io.BytesIO(data)), {"wght": 700}, inplace=True)
    scale = 1000 / font["head"].unitsPerEm
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    found = {}
    for sign in signs:
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyphs[names[ord(sign)]].draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
        found[sign] = pen.getCommands()
    return found


if __name__ == "__main__":
    main()
