/** What is printed in a betting box, drawn to its shape as on the approved layouts. */
import type { ComponentChildren } from "preact";
import { type Key, type Language, language, t } from "../lib/i18n.ts";
import type { BoxView, CaptionView, FeltView } from "../lib/types.ts";
import { dieSize, ems, type Frame, fitted, isChinese, legibleText, part, placeDice, short, wholeOrNot } from "./pen.ts";

const REPEATS: Readonly<Record<string, number>> = { double: 2, triple: 3 };
const FRACTIONS: Readonly<Record<string, string>> = { "1/2": "½", "1/4": "¼", "3/4": "¾" };
const ODDS_SIZE = 26;
const LEGIBLE = 11;

/** `17/2` as a layout prints it: `8½`. */
export function oddsFigure(exact: string): string {
  const [top, bottom] = exact.split("/").map(Number);
  if (!bottom) return exact;
  const whole = Math.floor(top! / bottom);
  const rest = `${top! % bottom}/${bottom}`;
  return `${whole || ""}${FRACTIONS[rest] ?? ` ${rest}`}`;
}

export const oddsText = (pays: readonly string[]): string => `${pays.map(oddsFigure).join(" / ")} : 1`;

export const kindKey = (kind: string): Key => `kind_${kind.replace("-", "_")}` as Key;
/** The felt is printed in English and Chinese whatever the player reads; its Chinese follows them. */
const chinese = (): Language => (language.value === "zh-Hans" ? "zh-Hans" : "zh-Hant");
export const signOf = (kind: string): string => t(kindKey(kind), {}, chinese());
const englishOf = (kind: string): string => t(kindKey(kind), {}, "en");

export const facesOf = (box: BoxView): readonly number[] =>
  box.kind === "sum" ? [] : Array.from({ length: REPEATS[box.kind] ?? 1 }, () => box.numbers).flat();

interface TextProps {
  readonly in: Frame;
  readonly text: string;
  readonly size: number;
  readonly look: "cream" | "gold";
  readonly bold?: boolean;
  readonly spacing?: number;
  /** From afar nothing is printed smaller: it is said more shortly, or not at all. */
  readonly least: number;
}

function Text({ in: frame, text: whole, size, look, bold = false, spacing = 0, least }: TextProps) {
  const said = legibleText(whole, frame.w, size, least, spacing);
  if (!said) return null;
  const { text, size: fit } = said;
  const han = isChinese(text);
  return (
    <text
      x={frame.x + frame.w / 2 + (spacing * fit) / 2}
      y={frame.y + frame.h / 2 + fit * (han ? 0.37 : 0.35)}
      font-size={fit}
      class={`${look}${bold ? " bold" : ""}${han ? " han" : ""}`}
      {...(spacing ? { "letter-spacing": spacing * fit } : {})}
    >
      {text}
    </text>
  );
}

function DiceIn({ in: frame, faces }: { in: Frame; faces: readonly number[] }) {
  return (
    <>
      {placeDice(frame, faces).map((die) => (
        <use href={`#die-${die.face}`} x={die.x} y={die.y} width={die.size} height={die.size} />
      ))}
    </>
  );
}

/** A mark in one line, or in two where one would be too small to read. */
function legible(mark: string, width: number): string[] {
  if (!mark || fitted(mark, width, ODDS_SIZE) >= LEGIBLE) return mark ? [mark] : [];
  const words = mark.split(" ");
  const half = words.length - Math.floor(words.length / 2);
  return [words.slice(0, half).join(" "), words.slice(half).join(" ")];
}

/** `least` is the smallest size of a letter. */
type Draw = (box: BoxView, frame: Frame, least: number) => ComponentChildren;

/** Big, small, odd and even: one great sign, beside it or below it the words. */
const evenChance: Draw = (box, frame, least) => {
  const wide = frame.h < 0.75 * frame.w;
  const [total = "", triples = "", ...below] = box.marks;
  // What a triple does has the whole width of a low box: beside the sign it would be too small to read.
  const across = wide && !least && triples ? part(frame, 0.03, 0.77, 0.94, 0.2) : null;
  const upper = across ? part(frame, 0, 0, 1, 0.8) : frame;
  const sign = wide ? part(upper, 0.05, 0.08, 0.34, 0.84) : part(frame, 0.08, 0.05, 0.84, 0.44);
  const words = wide ? part(upper, 0.4, 0.08, 0.56, 0.84) : part(frame, 0.08, 0.5, 0.84, 0.46);
  const lines: [string, number, TextProps["look"]][] = [[englishOf(box.kind).toUpperCase(), 30, "cream"]];
  if (total) lines.push([total, 20, "cream"]);
  lines.push([box.odds, 24, "gold"]);
  const rule = across ? [] : legible(triples, words.w);
  for (const line of rule) lines.push([line, 15, "cream"]);
  if (words.h > 120 && !wide) for (const line of below) lines.push([line, 15, "cream"]);
  // From afar: what is too small to read is left out, the least important first.
  const legibles = lines.filter(([text]) => !least || legibleText(text, words.w, ODDS_SIZE, least));
  while (least && legibles.length > 2 && legibles.length * 1.15 * least > words.h) legibles.pop();
  const kept = wholeOrNot(
    legibles.map(([text]) => text),
    rule,
  );
  const seen = legibles.filter(([text]) => kept.includes(text));
  const share = words.h / seen.reduce((sum, [, height]) => sum + height, 0);
  let y = words.y;
  return (
    <>
      <Text in={sign} text={signOf(box.kind)} size={Math.min(sign.h * 0.96, sign.w)} look="gold" bold least={least} />
      {across && <Text in={across} text={triples} size={across.h * 0.86} look="cream" least={least} />}
      {seen.map(([text, height, look], place) => {
        const line = { x: words.x, y, w: words.w, h: height * share };
        y += line.h;
        return (
          <Text
            in={line}
            text={text}
            size={Math.min(line.h * 0.88, 44)}
            look={look}
            bold={!place}
            spacing={place ? 0 : 0.08}
            least={least}
          />
        );
      })}
    </>
  );
};

const sum: Draw = (box, frame, least) => (
  <>
    <Text
      in={part(frame, 0.06, 0.06, 0.88, 0.62)}
      text={String(box.numbers[0])}
      size={Math.min(frame.h * 0.62, frame.w * 0.66)}
      look="cream"
      least={least}
    />
    <Text
      in={part(frame, 0.06, 0.7, 0.88, 0.24)}
      text={box.odds}
      size={Math.min(frame.h * 0.22, ODDS_SIZE)}
      look="gold"
      least={least}
    />
  </>
);

/** The die with its name, and the odds on one, two and three dice. */
const single: Draw = (box, frame, least) => {
  const face = box.numbers[0]!;
  const tall = frame.w < 1.4 * frame.h;
  const side = Math.min(0.74 * frame.h, 0.36 * frame.w);
  const die = tall
    ? part(frame, 0.1, 0.08, 0.8, 0.5)
    : { x: frame.x + 0.06 * frame.w, y: frame.y, w: side, h: frame.h };
  const words = tall
    ? part(frame, 0.06, 0.6, 0.88, 0.34)
    : part({ x: die.x + side, y: frame.y, w: 0.94 * frame.w - side, h: frame.h }, 0.05, 0.14, 0.9, 0.72);
  const name = `${t(`face_${face}` as Key, {}, "en").toUpperCase()} ${t(`face_${face}` as Key, {}, chinese())}`;
  const size = fitted("THREE 六", words.w, frame.h * 0.28, 0.04); // one size for all six
  return (
    <>
      <DiceIn in={die} faces={[face]} />
      <Text in={part(words, 0, 0.04, 1, 0.5)} text={name} size={size} look="cream" spacing={0.04} least={least} />
      <Text
        in={part(words, 0, 0.54, 1, 0.42)}
        text={box.odds}
        size={Math.min(frame.h * 0.22, ODDS_SIZE)}
        look="gold"
        least={least}
      />
    </>
  );
};

/** All six triples, one below the other in a narrow box; a low box has room for words only. */
const anyTriple: Draw = (box, frame, least) => {
  const [name, sign, odds] = [englishOf(box.kind).toUpperCase(), signOf(box.kind), box.odds];
  if (frame.w > 3 * frame.h) {
    return (
      <>
        <Text in={part(frame, 0.03, 0.1, 0.2, 0.8)} text={sign} size={frame.h * 0.56} look="gold" bold least={least} />
        <Text
          in={part(frame, 0.24, 0.1, 0.44, 0.8)}
          text={name}
          size={frame.h * 0.4}
          look="cream"
          spacing={0.06}
          least={least}
        />
        <Text in={part(frame, 0.72, 0.1, 0.24, 0.8)} text={odds} size={frame.h * 0.4} look="gold" least={least} />
      </>
    );
  }
  if (frame.h < 150) {
    return (
      <>
        <Text
          in={part(frame, 0.08, 0.1, 0.84, 0.34)}
          text={sign}
          size={frame.h * 0.32}
          look="gold"
          bold
          least={least}
        />
        <Text
          in={part(frame, 0.08, 0.46, 0.84, 0.2)}
          text={name}
          size={frame.h * 0.19}
          look="cream"
          spacing={0.06}
          least={least}
        />
        <Text
          in={part(frame, 0.08, 0.68, 0.84, 0.24)}
          text={odds}
          size={Math.min(frame.h * 0.22, ODDS_SIZE)}
          look="gold"
          least={least}
        />
      </>
    );
  }
  const [columns, rows] = frame.h > 1.3 * frame.w ? [1, 6] : [2, 3];
  const field = part(frame, 0.09, 0.29, 0.82, 0.57);
  return (
    <>
      <Text in={part(frame, 0.08, 0.04, 0.84, 0.17)} text={sign} size={frame.h * 0.15} look="gold" bold least={least} />
      <Text
        in={part(frame, 0.08, 0.2, 0.84, 0.09)}
        text={name}
        size={frame.h * 0.085}
        look="cream"
        spacing={0.06}
        least={least}
      />
      {[0, 1, 2, 3, 4, 5].map((place) => {
        const cell = part(
          field,
          (place % columns) / columns,
          Math.floor(place / columns) / rows,
          1 / columns,
          1 / rows,
        );
        return <DiceIn in={part(cell, 0.04, 0.06, 0.92, 0.88)} faces={[place + 1, place + 1, place + 1]} />;
      })}
      <Text
        in={part(frame, 0.08, 0.86, 0.84, 0.1)}
        text={odds}
        size={Math.min(frame.h * 0.1, 1.2 * ODDS_SIZE)}
        look="gold"
        least={least}
      />
    </>
  );
};

/** A box that shows its dice, with the odds below or, where that leaves larger dice, beside. */
const diceBox: Draw = (box, frame, least) => {
  const faces = facesOf(box);
  const odds = box.odds;
  const oddsHeight = Math.min(Math.max(0.24 * frame.h, Math.min(24, 0.34 * frame.h), 1.1 * least), 34);
  const below = part(frame, 0.07, 0.08, 0.86, 0.9 - oddsHeight / frame.h);
  const beside = part(frame, 0.05, 0.12, 0.66, 0.76);
  if (frame.w > 2.2 * frame.h && dieSize(beside, faces.length) > 1.1 * dieSize(below, faces.length)) {
    return (
      <>
        <DiceIn in={beside} faces={faces} />
        <Text in={part(frame, 0.72, 0, 0.25, 1)} text={odds} size={ODDS_SIZE} look="gold" least={least} />
      </>
    );
  }
  const foot = {
    x: frame.x + 0.05 * frame.w,
    y: frame.y + frame.h * 0.97 - oddsHeight,
    w: 0.9 * frame.w,
    h: oddsHeight,
  };
  return (
    <>
      <DiceIn in={below} faces={faces} />
      <Text in={foot} text={odds} size={Math.min(oddsHeight * 0.82, ODDS_SIZE)} look="gold" least={least} />
    </>
  );
};

const DRAWN: Readonly<Record<string, Draw>> = {
  big: evenChance,
  small: evenChance,
  odd: evenChance,
  even: evenChance,
  sum,
  single,
  "any-triple": anyTriple,
};

const SMALLEST: ReadonlySet<string> = new Set(["sum", "single", "double"]);

/** Boxes by kind are for small screens: the odds of the smallest are said short there, or they were six pixels high. */
export const briefly = (box: BoxView): BoxView => (SMALLEST.has(box.kind) ? { ...box, odds: short(box.odds) } : box);

/** The print of one box in a frame of the given size; it scales with whatever holds it. */
export function Face({ box, w, h, least = 0 }: { box: BoxView; w: number; h: number; least?: number }) {
  const draw = DRAWN[box.kind] ?? diceBox;
  return (
    <svg class="face" viewBox={`0 0 ${w} ${h}`} aria-hidden="true">
      {draw(box, { x: 0, y: 0, w, h }, least)}
    </svg>
  );
}

interface CaptionProps {
  readonly caption: CaptionView;
  readonly felt: FeltView;
  readonly w: number;
  readonly h: number;
  readonly least?: number;
}

/** The strip with the odds of a group in one line; a narrow strip says less, not smaller. */
export function CaptionFace({ caption, felt, w, h, least = 0 }: CaptionProps) {
  const boxes = felt.boxes.filter((box) => box.group === caption.group);
  const spoken = boxes.length ? boxes : felt.boxes.filter((box) => box.kind === caption.group);
  const kind = spoken[0]?.kind;
  if (!kind) return null;
  const pays = spoken.every((box) => box.pays.join() === spoken[0]!.pays.join()) ? spoken[0]!.pays : [];
  const sign = signOf(kind);
  let english = spoken.length > 1 ? t("each", { name: englishOf(kind) }, "en") : englishOf(kind);
  const { odds } = caption;
  if (pays.length > 1) english = "";
  else if (kind === "sum" && pays.length) english = spoken.map((box) => box.numbers[0]).join(" · ");
  const ways = [[english, sign, odds], [english, odds], [sign, odds], ...(least ? [[odds]] : [])].map((way) =>
    way.filter(Boolean).join(" · ").toUpperCase(),
  );
  const wanted = Math.max(h * 0.62, least);
  const text = ways.find((way) => fitted(way, w * 0.92, wanted, 0.05) > 0.85 * wanted) ?? ways.at(-1)!;
  const size = fitted(text, w * 0.92, wanted, 0.05);
  const reach = (w - ems(text, 0.05) * size) / 2 - 2 * h;
  return (
    <svg class="face" viewBox={`0 0 ${w} ${h}`} aria-hidden="true">
      <Text in={{ x: 0, y: 0, w, h }} text={text} size={size} look="gold" spacing={0.05} least={least} />
      {reach > h && <path class="rule" d={`M8 ${h / 2}H${8 + reach}M${w - 8 - reach} ${h / 2}H${w - 8}`} />}
    </svg>
  );
}
