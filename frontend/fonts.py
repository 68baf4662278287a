"""Cuts the Chinese fonts down to the words of the pages and the table: `python fonts.py` fills build/fonts.

The packages hold a font in a hundred variable slices. The glyphs that are needed are taken out of their
slices, fixed at a weight, and merged into one font, of which every file gets the signs that it is for:
opening a slice takes longer than all else. A house's other words fall back to the machine.
"""

import io
import json
import sys
import tempfile
import tomllib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
OUT = HERE / "build" / "fonts"
PACKAGES = HERE / "node_modules" / "@fontsource-variable"
PROOF = HERE.parent / "src" / "taisai" / "proof"
GAME = HERE.parent / "src" / "taisai" / "game" / "catalogues"
FIRST_CHINESE = 0x2E80
# Shown in every language: the game's name and the switch of languages. The line without scripts is shown too,
# but nobody else has to fetch its signs.
SWITCH = "骰寶繁體中文简体"
ALWAYS = f"{SWITCH}此頁面需要页"
NAMES = "骰寶骰宝"
# The Chinese lines that v3's felt prints below the English ones.
MARKS = "点至一翻围骰通吃"
# Amounts in words come from the server: the numerals, units and currencies of its tickets.
AMOUNTS = HERE.parent / "src" / "taisai" / "server" / "words" / "amounts.py"
# The house to try out names itself and its tables, on machines without a Chinese font, too.
HOUSE = HERE.parent / "src" / "taisai" / "cli" / "serving.py"


def main() -> None:
    words = {language: _words(language) for language in ("zh-Hant", "zh-Hans")}
    signs = "".join(
        text
        for catalogue in words.values()
        for key, text in catalogue["common"].items()
        if key.startswith(("kind_", "face_", "glyph_"))
    )
    # Where the first package lacks a sign, the second has it.
    traditional, simplified = ("noto-sans-tc", "noto-sans-sc"), ("noto-sans-sc", "noto-sans-tc")
    # What a page shows in any language: nobody fetches a whole font for the signs of the roads.
    roads = _road_signs(words) + NAMES + SWITCH
    # The page that checks receipts carries its signs inside: it is used without the house, anywhere.
    receipts = {language: _receipt_text(language) + ALWAYS for language in words}
    tc = [
        Font("tc", _text("zh-Hant", words), (400, 700)),
        Font("signs", roads, (400, 700)),
        Font("receipt-tc", receipts["zh-Hant"], (400,)),
    ]
    sc = [
        Font("sc", _text("zh-Hans", words), (400, 700)),
        Font("receipt-sc", receipts["zh-Hans"], (400,)),
    ]
    felt = [Font("felt", signs + NAMES + MARKS, (700,))]
    OUT.mkdir(parents=True, exist_ok=True)
    _write_faces("signs", roads, (400, 700))
    plain = HERE / "node_modules" / "@fontsource" / "libre-caslon-text" / "files"
    varied = PACKAGES / "source-sans-3" / "files" / "source-sans-3-latin-wght-normal.woff2"
    with ProcessPoolExecutor() as cutters:  # it is most of the time that the pages take to build
        cuttings = [
            cutters.submit(_cut_anew, traditional, tc),
            cutters.submit(_cut_anew, simplified, sc),
            cutters.submit(_cut_anew, ("noto-serif-tc", "noto-serif-sc"), felt),
            cutters.submit(_cut_latin, "source-sans", varied, (400, 750)),
            cutters.submit(
                _cut_latin, "libre-caslon", plain / "libre-caslon-text-latin-400-normal.woff2", None
            ),
        ]
        for cutting in cuttings:
            cutting.result()


class Font(NamedTuple):
    """A font of the pages: its files' name, a text that has its signs, and a file for each weight."""

    name: str
    text: str
    weights: tuple[int, ...]

    @property
    def signs(self) -> set[int]:
        return {ord(sign) for sign in self.text if ord(sign) >= FIRST_CHINESE}


def _cut_anew(packages: tuple[str, ...], fonts: list[Font]) -> None:
    """Cut fonts of the same packages, unless the same signs were cut before."""
    stamp = OUT / f"{fonts[0].name}.stamp"
    told = " ".join(packages) + "".join(
        f"\n{font.name} {font.weights} {''.join(map(chr, sorted(font.signs)))}" for font in fonts
    )
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != told:
        _cut(packages, fonts)
        stamp.write_text(told, encoding="utf-8")


# Latin as English and its neighbours write it, and the signs of money, odds and dashes.
LATIN = (
    "U+0020-007E,U+00A0-00FF,U+2013,U+2014,U+2018-201D,U+2022,U+2026,U+20AC,U+2190-2193,U+2212,U+00BC-00BE"
)
FEATURES = ["kern", "lnum", "tnum", "ccmp", "locl", "mark"]  # what the style sheets ask for


def _cut_latin(name: str, source: Path, weights: tuple[int, int] | None) -> None:
    """A Latin font with the letters, features and weights that the pages use."""
    wanted = {
        code
        for span in LATIN.split(",")
        for first, _, last in [span.removeprefix("U+").partition("-")]
        for code in range(int(first, 16), int(last or first, 16) + 1)
    }
    font = TTFont(source, recalcTimestamp=False)
    subsetter = Subsetter(Options(layout_features=FEATURES, hinting=False, notdef_outline=False))
    subsetter.populate(unicodes=wanted)
    subsetter.subset(font)
    font.flavor = None
    data = io.BytesIO()
    font.save(data)
    cut = TTFont(io.BytesIO(data.getvalue()))
    if weights:
        cut = instantiateVariableFont(cut, {"wght": weights})
    cut.recalcTimestamp = False
    cut.flavor = "woff2"
    cut.save(OUT / f"{name}.woff2")


def _road_signs(words: dict[str, dict[str, dict[str, str]]]) -> str:
    """大 小 單 雙 圍 as beads have them, in both scripts."""
    keys = ("kind_big", "kind_small", "kind_odd", "kind_even", "glyph_triple")
    return "".join(catalogue["common"][key] for catalogue in words.values() for key in keys)


def _write_faces(name: str, text: str, weights: tuple[int, ...]) -> None:
    """A style sheet that offers a font for its own signs and no others: no other text makes it be fetched."""
    only = ", ".join(f"U+{ord(sign):X}" for sign in sorted(set(text)) if ord(sign) >= FIRST_CHINESE)
    faces = (
        f'@font-face {{ font-family: "Han Signs"; font-weight: {weight}; font-display: swap;'
        f' src: url("./{name}-{weight}.woff2") format("woff2"); unicode-range: {only}; }}\n'
        for weight in weights
    )
    (OUT / f"{name}.css").write_text("".join(faces), encoding="utf-8")


def _words(language: str) -> dict[str, dict[str, str]]:
    files = sorted((HERE / "src" / "i18n" / language).glob("*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}


def _text(language: str, words: dict[str, dict[str, dict[str, str]]]) -> str:
    """All that a page in this language may show: its own words, the table's sentences, amounts."""
    own = "".join(text for section in words[language].values() for text in section.values())
    game = GAME / f"{language}.toml"
    others = [path.read_text(encoding="utf-8") for path in (game, AMOUNTS, HOUSE) if path.is_file()]
    return own + ALWAYS + "".join(others)


def _receipt_text(language: str) -> str:
    """What is said of a receipt: the page's own words, the verdicts, and the names of boxes."""
    page = (HERE / "src" / "verify" / "words.ts").read_text(encoding="utf-8")
    own = page.partition(f'"{language}": {{')[2].partition("},")[0]
    which = (HERE / "src" / "verify" / "check.ts").read_text(encoding="utf-8")
    said = [own, which.partition(f'"{language}": {{')[2].partition("}")[0]]
    if PROOF.is_dir():
        verdicts = json.loads((PROOF / "sayings.json").read_text(encoding="utf-8"))
        said += verdicts[language].values()
    game = GAME / f"{language}.toml"
    if game.is_file():
        said += tomllib.loads(game.read_text(encoding="utf-8"))["boxes"].values()
    return "".join(said)


def _cut(packages: tuple[str, ...], fonts: list[Font]) -> None:
    slices: list[bytes] = []
    missing = set[int]().union(*(font.signs for font in fonts))
    for package in packages:
        more, missing = _slices(package, missing)
        slices += more
    if missing:
        signs = "".join(map(chr, sorted(missing)))
        sys.exit(f"no font of {', '.join(packages)} has {signs}")
    for weight in sorted({weight for font in fonts for weight in font.weights}):
        with tempfile.TemporaryDirectory() as folder:
            fixed = []
            for number, data in enumerate(slices):
                path = Path(folder) / f"{number}.ttf"
                instantiateVariableFont(TTFont(io.BytesIO(data)), {"wght": weight}, inplace=True).save(path)
                fixed.append(str(path))
            merged = Merger().merge(fixed)
        merged.recalcTimestamp = False
        merged["head"].created = merged["head"].modified = 3_600_000_000  # the same signs give the same bytes
        whole = io.BytesIO()
        merged.save(whole)
        for font in fonts:
            if weight in font.weights:
                _save(whole.getvalue(), font.signs, OUT / f"{font.name}-{weight}.woff2")


def _save(whole: bytes, signs: set[int], path: Path) -> None:
    """The part of a font that has these signs, as a file."""
    font = TTFont(io.BytesIO(whole), recalcTimestamp=False)
    subsetter = Subsetter(_options())
    subsetter.populate(unicodes=signs)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(path)


def _options() -> Options:
    return Options(layout_features=[], hinting=False, notdef_outline=False, glyph_names=False)


def _slices(package: str, wanted: set[int]) -> tuple[list[bytes], set[int]]:
    """The needed glyphs of each slice of a package as a font of their own, and what no slice has."""
    options = _options()
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VVAR", "VORG"]
    slices: list[bytes] = []
    missing = set(wanted)
    ranges = json.loads((PACKAGES / package / "unicode.json").read_text(encoding="utf-8"))
    for name, listed in ranges.items():
        if not _holds_any(listed, missing):
            continue  # opening a slice costs more than reading what it has
        path = PACKAGES / package / "files" / f"{package}-{name.strip('[]')}-wght-normal.woff2"
        font = TTFont(path, lazy=True)
        here = set(font.getBestCmap()) & missing
        if not here:
            continue
        missing -= here
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=here)
        subsetter.subset(font)
        font.flavor = None
        data = io.BytesIO()
        font.save(data)
        slices.append(data.getvalue())
    return slices, missing


def _holds_any(listed: str, wanted: set[int]) -> bool:
    """Whether a list such as `U+4e00,U+4e03-4e08` has one of these."""
    for span in listed.split(","):
        first, _, last = span.removeprefix("U+").partition("-")
        start = int(first, 16)
        if not wanted.isdisjoint(range(start, int(last or first, 16) + 1)):
            return True
    return False


if __name__ == "__main__":
    main()
