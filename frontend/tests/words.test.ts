import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bandsOf, smallestSide } from "../src/lib/bands.ts";
import { fill } from "../src/lib/i18n.ts";
import { nearestLanguage } from "../src/lib/languages.ts";
import {
  chipFigure,
  chipSet,
  denominations,
  money,
  netMoney,
  railChips,
  spokenMoney,
  topChip,
} from "../src/lib/money.ts";
import type { BoxView, FeltView } from "../src/lib/types.ts";
import { oddsFigure, oddsText } from "../src/ui/face.tsx";
import { WORDS } from "../src/verify/words.ts";

const HOME = join(process.cwd(), "src", "i18n");
const LANGUAGES = ["en", "zh-Hant", "zh-Hans"];
const HKD = { code: "HKD", exponent: 2 };
const catalogue = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(HOME, language, file), "utf8"));
const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!).sort();

test("the three languages have the same messages with the same facts", () => {
  for (const file of readdirSync(join(HOME, "en"))) {
    const english = catalogue("en", file);
    for (const language of LANGUAGES) {
      const other = catalogue(language, file);
      assert.deepEqual(Object.keys(other).sort(), Object.keys(english).sort(), `${language}/${file}`);
      for (const [key, text] of Object.entries(other)) {
        assert.ok(text, `${language}/${file}: ${key} is empty`);
        assert.deepEqual(holes(text), holes(english[key]!), `${language}/${file}: ${key}`);
      }
    }
  }
});

test("no message has two homes", () => {
  const keys = readdirSync(join(HOME, "en")).flatMap((file) => Object.keys(catalogue("en", file)));
  assert.deepEqual(
    keys.filter((key, place) => keys.indexOf(key) !== place),
    [],
  );
});

/** What another word is used for already, or what readers of the language would not say. */
const OTHER_WORDS: Record<string, string> = {
  "zh-Hans":
    "你 骰寶 娱乐场 场方 审计员 员工 设定 荷官 双重认证 第二重验证 注码 裁决 分数 票据 出纳 节段 颜色筹码 派彩表 值班经理 复原 列印 连线",
  "zh-Hant":
    "你 骰宝 娛樂場 場方 審計員 員工 設置 荷官 雙重認證 第二重驗證 注碼 裁決 分數 紀錄 檯 票據 出納 節段 顏色籌碼 派彩表 值班經理 列印 密鑰",
};

test("a notion has one word in Chinese, on every page, in every refusal and on receipts", () => {
  const python = join(process.cwd(), "..", "src", "taisai");
  const receipts: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(python, "proof", "sayings.json"), "utf8"),
  );
  for (const [language, words] of Object.entries(OTHER_WORDS)) {
    const texts = readdirSync(join(HOME, language)).map((file) => readFileSync(join(HOME, language, file), "utf8"));
    texts.push(readFileSync(join(python, "game", "catalogues", `${language}.toml`), "utf8"));
    texts.push(JSON.stringify(receipts[language]), JSON.stringify(WORDS[language as "zh-Hans"]));
    for (const word of words.split(" ")) {
      const found = texts.flatMap((text) => text.split("\n")).find((line) => line.includes(word));
      assert.equal(found, undefined, `${language}: ${word}`);
    }
  }
});

test("facts fill their places, and an unknown place stays as it is", () => {
  assert.equal(fill("{a} and {b}", { a: 1 }), "1 and {b}");
  for (const [n, said] of [
    [1, "1 box wins"],
    ["1", "1 box wins"],
    [2, "2 boxes win"],
    [0, "0 boxes win"],
  ] as const)
    assert.equal(fill("{n} {n|box wins|boxes win}", { n }), said);
});

test("the nearest language of a browser", () => {
  assert.equal(nearestLanguage(["zh-TW"]), "zh-Hant");
  assert.equal(nearestLanguage(["zh-Hant-HK", "en"]), "zh-Hant");
  assert.equal(nearestLanguage(["zh-CN"]), "zh-Hans");
  assert.equal(nearestLanguage(["fr", "en-GB"]), "en");
  assert.equal(nearestLanguage(["fr"]), "en");
});

test("money is shown by locale, with cents only where there are some", () => {
  assert.equal(money(125_000, HKD, "en"), "$1,250");
  assert.equal(money(1_250, HKD, "en"), "$12.50");
  assert.equal(netMoney(2_000, HKD, "en"), "+$20");
  assert.equal(netMoney(-500, HKD, "en"), "−$5");
  assert.equal(netMoney(0, HKD, "en"), "$0");
  assert.equal(spokenMoney(2_000, HKD, "en"), "20 Hong Kong dollars");
  assert.equal(money(500, { code: "JPY", exponent: 0 }, "en"), "¥500");
  assert.equal(money(500, { code: "CREDITS", exponent: 0 }, "en"), "500 CREDITS");
});

test("a chip has room for a short figure", () => {
  assert.deepEqual(
    [500, 2_500, 150_000, 123_450_000].map((minor) => chipFigure(minor, HKD)),
    ["5", "25", "1.5K", "1.23M"],
  );
});

test("the rail has six chips that the unit can pay, from about the minimum", () => {
  assert.deepEqual(denominations(100, 500, HKD), [500, 1_000, 2_500, 5_000, 10_000, 50_000]);
  assert.deepEqual(denominations(500, 1_000, HKD), [1_000, 2_500, 5_000, 10_000, 50_000, 100_000]);
  assert.deepEqual(denominations(2, 10, { code: "JPY", exponent: 0 }), [10, 50, 100, 500, 1_000, 5_000]);
  assert.equal(topChip(2_600, [500, 1_000, 2_500]), 2);
  assert.equal(topChip(100, [500, 1_000]), 0);
});

test("a rail reaches from the minimum to where ten chips make the maximum", () => {
  const all = chipSet(100, 500, HKD);
  assert.deepEqual(all.slice(0, 3), [500, 1_000, 2_500]);
  assert.deepEqual(railChips(all, 10_000_000), [500, 2_500, 5_000, 50_000, 100_000, 1_000_000]);
  assert.deepEqual(railChips(all, 100_000), denominations(100, 500, HKD));
  assert.deepEqual(railChips(all, null), denominations(100, 500, HKD));
  assert.deepEqual(railChips([500, 1_000], 2_000), [500, 1_000]);
});

test("odds are printed as on the layouts", () => {
  assert.equal(oddsFigure("17/2"), "8½");
  assert.equal(oddsFigure("1/2"), "½");
  assert.equal(oddsText(["1", "2", "12"]), "1 / 2 / 12 : 1");
});

const box = (kind: string, numbers: number[] = []): BoxView => ({
  id: `${kind}-${numbers.join("")}`,
  kind,
  numbers,
  group: kind,
  pays: ["1"],
  x: 0,
  y: 0,
  w: 10,
  h: 10,
  names: {},
  return_percent: 90,
  ways: 36,
  odds: "",
  marks: [],
});
const felt = (boxes: BoxView[]): FeltView => ({
  pay_table: "x/1",
  title: "",
  digest: "",
  width: 100,
  height: 50,
  boxes,
  captions: [],
  placements: [],
});

test("on a phone of 360 pixels every box of every band is at least 24 wide, and the bands are 7 and 5 across", () => {
  const kinds = [
    "big",
    "small",
    "odd",
    "even",
    "any-triple",
    "triple",
    "double",
    "sum",
    "domino",
    "single",
    "four",
    "trio",
    "pair",
  ];
  const bands = bandsOf(felt(kinds.map((kind) => box(kind, [1]))));
  const room = 360 - 2 * 6 - 2 * 6 - 2 * 5; // the page's edge, the rail, the cloth's edge
  for (const band of bands) assert.ok(room / band.columns >= 44, `${band.kinds}: ${room / band.columns}`);
  assert.equal(bands.find((band) => band.kinds[0] === "sum")?.columns, 7);
  assert.equal(bands.find((band) => band.kinds[0] === "domino")?.columns, 5);
  assert.equal(bands.flatMap((band) => band.boxes).length, kinds.length);
});

test("a house's own kind of box has a band too, and numbers stand in order", () => {
  const bands = bandsOf(felt([box("sum", [12]), box("sum", [4]), box("lucky", [7])]));
  assert.deepEqual(
    bands.map((band) => band.boxes.map((one) => one.numbers[0])),
    [[4, 12], [7]],
  );
});

test("easy mode keeps big, small, odd, even, any triple and the totals", () => {
  const bands = bandsOf(felt(["big", "small", "triple", "sum", "domino", "any-triple"].map((kind) => box(kind))), true);
  assert.deepEqual(
    bands.flatMap((band) => band.boxes.map((one) => one.kind)),
    ["big", "small", "any-triple", "sum"],
  );
});

test("the smallest side of a box tells whether a felt fits a screen", () => {
  assert.equal(smallestSide(felt([box("big")]), 500), 50);
});

test("wherever letters have a font, Chinese signs have theirs: a machine may have none of its own", () => {
  const styles = join(process.cwd(), "src", "styles");
  for (const file of readdirSync(styles).filter((name) => name !== "docs.css")) {
    const text = readFileSync(join(styles, file), "utf8");
    for (const [whole] of text.matchAll(/font(?:-family)?:[^;{}]*var\(--(?:text|display)\)[^;{}]*/g))
      assert.match(whole, /--han|Han/, `${file}: ${whole}`);
  }
});
