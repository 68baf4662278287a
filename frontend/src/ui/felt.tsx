/** The betting layout: real buttons in the places of the pay table, one tab stop, signals for each box. */
import { computed, type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Band, bandsOf, smallestSide } from "../lib/bands.ts";
import { type Key, named, t } from "../lib/i18n.ts";
import { isWriting, keyAct, neighbour } from "../lib/keys.ts";
import type { Stake } from "../lib/slip.ts";
import type { BoxView, FeltView } from "../lib/types.ts";
import { Chip } from "./chip.tsx";
import { briefly, CaptionFace, Face, oddsFigure } from "./face.tsx";

/** Everything about a box that changes while one plays. */
export interface BoxShow {
  readonly stake: Stake;
  readonly lit: "" | "won" | "lost";
  /** What came back to this player on this box. */
  readonly paid: number;
}

export const NO_STAKE: Stake = { amount: 0, state: "none", refused: 0 };
export const BARE: BoxShow = { stake: NO_STAKE, lit: "", paid: 0 };

export interface FeltPlay {
  readonly open: ReadonlySignal<boolean>;
  readonly add: (box: string) => void;
  /** Whether there was something to take away. */
  readonly remove: (box: string) => boolean;
  readonly chip: (amount: number) => { figure: string; colour: number };
  readonly spoken: (amount: number) => string;
  /** A finger stays on a bare box, to be told of it; without this it adds like a quick one. */
  readonly ask?: (box: string) => void;
  /** Which box the pointer or the keyboard is on, for the line that explains it. */
  readonly looking: Signal<string>;
}

export interface FeltProps {
  readonly felt: FeltView;
  readonly show: (box: string) => ReadonlySignal<BoxShow>;
  readonly play?: FeltPlay;
  readonly easy?: boolean;
  /** The wall shows the felt as it is, however small its boxes get. */
  readonly always?: boolean;
  /** The smallest letter, in the felt's own units: from afar nothing smaller is printed. */
  readonly least?: number;
}

const FELT_WIDTH = 1800; // the felt's own units, in which faces are drawn
/** The least side of a box: for fingers, and where every pointer is a mouse. */
const FINGER = 44;
const MOUSE = 32;
const LONG_PRESS = 450;

export function oddsSpoken(pays: readonly string[]): string {
  const figures = pays.map(oddsFigure);
  const odds =
    figures.length > 1 ? t("odds_or", { some: figures.slice(0, -1).join(", "), last: figures.at(-1)! }) : figures[0]!;
  return t("pays_spoken", { odds });
}

/** A box in words: its name, its odds, what is on it and how sure that is. */
export function boxLabel(box: BoxView, show: BoxShow, spoken: (amount: number) => string): string {
  const { amount, state, refused } = show.stake;
  const said = [named(box.names), oddsSpoken(box.pays)];
  if (amount) said.push(t(`bet_${state}` as Key, { amount: spoken(amount) }));
  if (refused) said.push(t("bet_refused", { amount: spoken(refused) }));
  if (show.lit === "won") said.push(show.paid ? t("box_paid", { amount: spoken(show.paid) }) : t("box_won"));
  return said.join(t("list_comma"));
}

const BADGES = {
  registered: "M6 12.5l4 4 8-9",
  pending: "M6 12h.1M12 12h.1M18 12h.1",
  low: "M12 18V6M7 11l5-5 5 5",
  cut: "M6 12h12",
  refused: "M7 7l10 10M17 7 7 17",
  none: "",
} as const;

/** The state of a stake as a sign: a tick, dots, an arrow up to the minimum, a dash, a cross. */
const Badge = ({ of }: { of: keyof typeof BADGES }) => (
  <svg class="badge" viewBox="0 0 24 24" aria-hidden="true">
    <path d={BADGES[of]} />
  </svg>
);

/** The chips on a box. A chip's figure is always what it is worth; those of a settled round are on it no more. */
function StakeOn({ show, play }: { show: ReadonlySignal<BoxShow>; play: FeltPlay }) {
  const { stake, lit } = show.value;
  if (!stake.amount && !stake.refused) return null;
  return (
    <>
      {stake.amount > 0 && (
        <span class="stake" data-state={stake.state} data-lit={lit}>
          <Chip {...play.chip(stake.amount)} />
          <Badge of={stake.state} />
        </span>
      )}
      {stake.refused > 0 && (
        <span class="stake returned" data-state="refused">
          <Chip {...play.chip(stake.refused)} />
          <Badge of="refused" />
        </span>
      )}
    </>
  );
}

type Place = Readonly<Record<string, string>>;

interface GroundProps {
  readonly box: BoxView;
  readonly w: number;
  readonly h: number;
  readonly place?: Place;
  readonly least?: number;
}

/** What is printed where a box is. Nothing in a round changes it. */
const Ground = ({ box, w, h, place, least = 0 }: GroundProps) => (
  <span class="ground" data-kind={box.kind} aria-hidden="true" {...(place ? { style: place } : {})}>
    <Face box={box} w={w} h={h} least={least} />
  </span>
);

interface BoxProps {
  readonly box: BoxView;
  readonly place: Place;
  /** Its print, where that is not below all boxes already. */
  readonly ground?: ComponentChildren;
  readonly show: ReadonlySignal<BoxShow>;
  readonly play: FeltPlay | undefined;
  readonly current: Signal<string>;
}

function Box({ box, place, ground, show, play, current }: BoxProps) {
  const lit = useComputed(() => show.value.lit);
  const label = useComputed(() => (play ? boxLabel(box, show.value, play.spoken) : ""));
  const tab = useComputed(() => (current.value === box.id ? 0 : -1));
  const shut = useComputed(() => (play ? String(!play.open.value) : "true") as "true" | "false");
  const inside = (
    <>
      {ground}
      <span class="star" aria-hidden="true" />
    </>
  );
  const common = { "data-box": box.id, "data-lit": lit, style: place };
  if (!play) {
    return (
      <div class="box" {...common}>
        {inside}
      </div>
    );
  }
  return (
    <div role="gridcell" class="cell">
      <button type="button" class="box" {...common} tabIndex={tab} aria-label={label} aria-disabled={shut}>
        {inside}
        <StakeOn show={show} play={play} />
      </button>
    </div>
  );
}

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;

/** The kinds of the felt in its own order: each is a row group for those who hear the page. */
function kindsOf(felt: FeltView): string[] {
  return [...new Set(felt.boxes.map((box) => box.kind))];
}

type Parts = Omit<BoxProps, "box" | "place" | "ground" | "show"> & Pick<FeltProps, "felt" | "show">;

/** As on the table: the print is one picture that is drawn once, and over it lie the boxes with what changes. */
function TrueFelt({ felt, show, least, ...rest }: Parts & { least: number }) {
  const unit = FELT_WIDTH / felt.width;
  const place = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }) => ({
    left: percent(x, felt.width),
    top: percent(y, felt.height),
    width: percent(w, felt.width),
    height: percent(h, felt.height),
  });
  return (
    <div class="cloth" style={{ aspectRatio: `${felt.width} / ${felt.height}` }}>
      <div class="print" aria-hidden="true">
        {felt.captions.map((caption) => (
          <div class="caption" style={place(caption)}>
            <CaptionFace caption={caption} felt={felt} w={caption.w * unit} h={caption.h * unit} least={least} />
          </div>
        ))}
        {felt.boxes.map((box) => (
          <Ground key={box.id} box={box} w={box.w * unit} h={box.h * unit} place={place(box)} least={least} />
        ))}
      </div>
      <div class="places" {...gridRole(rest.play)}>
        {kindsOf(felt).map((kind) => (
          <div key={kind} class="kind" {...rowRole(rest.play)}>
            {felt.boxes
              .filter((box) => box.kind === kind)
              .map((box) => (
                <Box key={box.id} box={box} place={place(box)} show={show(box.id)} {...rest} />
              ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const gridRole = (play: FeltPlay | undefined) => (play ? { role: "grid" as const, "aria-label": t("layout") } : {});
const rowRole = (play: FeltPlay | undefined) => (play ? { role: "row" as const } : {});

function BandFelt({ bands, easy, show, ...rest }: Omit<Parts, "felt"> & { bands: readonly Band[]; easy: boolean }) {
  return (
    <div class="bands" {...gridRole(rest.play)}>
      {bands.map((band) => (
        <div
          key={band.kinds[0]}
          class="band"
          {...(rest.play ? { role: "rowgroup" as const } : {})}
          id={`band-${band.kinds[0]}`}
          data-columns={band.columns}
        >
          <div class="band-head" aria-hidden="true">
            {t(`group_${band.kinds[0]!.replace("-", "_")}` as Key)}
            {easy && <small>{t(`hint_${band.kinds[0]!.replace("-", "_")}` as Key)}</small>}
          </div>
          <div class="kind" {...rowRole(rest.play)}>
            {band.boxes.map((box) => (
              <Box
                key={box.id}
                box={box}
                ground={<Ground box={briefly(box)} w={band.w} h={band.h} />}
                place={{ aspectRatio: `${band.w} / ${band.h}` }}
                show={show(box.id)}
                {...rest}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Pointer and keyboard, caught once for all boxes. */
function useHands(root: { current: HTMLDivElement | null }, play: FeltPlay | undefined, current: Signal<string>): void {
  useEffect(() => {
    const element = root.current;
    if (!element || !play) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pressedLong = false;
    const boxAt = (target: EventTarget | null): HTMLElement | null =>
      target instanceof Element ? target.closest<HTMLElement>("button[data-box]") : null;
    const down = (event: PointerEvent) => {
      const box = boxAt(event.target)?.dataset["box"];
      clearTimeout(timer);
      pressedLong = false;
      if (!box || event.button !== 0) return;
      // A long press takes a chip away. On a bare box a finger asks what it is, and a slow mouse adds like a quick one.
      const asks = event.pointerType === "touch" && play.ask;
      timer = setTimeout(() => {
        pressedLong = play.remove(box);
        if (pressedLong || !asks) return;
        asks(box);
        pressedLong = true;
      }, LONG_PRESS);
    };
    const release = () => clearTimeout(timer);
    const click = (event: MouseEvent) => {
      const box = boxAt(event.target)?.dataset["box"];
      clearTimeout(timer);
      if (!box || pressedLong) {
        pressedLong = false;
        return;
      }
      current.value = box;
      play.add(box);
    };
    const menu = (event: MouseEvent) => {
      const box = boxAt(event.target)?.dataset["box"];
      if (!box) return;
      event.preventDefault();
      if (!pressedLong && (event as PointerEvent).pointerType !== "touch") play.remove(box);
    };
    const look = (event: Event) => {
      const box = boxAt(event.target)?.dataset["box"];
      if (box) play.looking.value = box;
    };
    const leave = () => (play.looking.value = "");
    const focus = (event: FocusEvent) => {
      const box = boxAt(event.target)?.dataset["box"];
      if (box) current.value = play.looking.value = box;
    };
    const key = (event: KeyboardEvent) => {
      const box = boxAt(event.target);
      if (!box || isWriting(event.target)) return;
      const act = keyAct(event, { onFelt: true, letters: false });
      if (act?.act === "remove") play.remove(box.dataset["box"]!);
      else if (act?.act === "move") move(element, box, act.to);
      else return;
      event.preventDefault();
    };
    const listeners: [string, (event: never) => void][] = [
      ["pointerdown", down],
      ["pointerup", release],
      ["pointercancel", release],
      ["pointerleave", release],
      ["click", click],
      ["contextmenu", menu],
      ["pointerover", look],
      ["mouseleave", leave],
      ["focusin", focus],
      ["keydown", key],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener as EventListener);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as EventListener);
    };
  }, [play]);
}

function move(root: HTMLElement, from: HTMLElement, to: Parameters<typeof neighbour>[2]): void {
  const boxes = [...root.querySelectorAll<HTMLElement>("button[data-box]")];
  const next =
    boxes[
      neighbour(
        boxes.map((box) => box.getBoundingClientRect()),
        boxes.indexOf(from),
        to,
      )
    ];
  next?.focus();
}

export function Felt({ felt, show, play, easy = false, always = false, least = 0 }: FeltProps) {
  const root = useRef<HTMLDivElement>(null);
  const current = useSignal(felt.boxes[0]?.id ?? "");
  const narrow = useSignal(false);
  useHands(root, play, current);
  // Before the first picture: on a phone nobody sees the wide felt first.
  useLayoutEffect(() => {
    const holder = root.current;
    if (!holder || always) return undefined;
    const measure = () => {
      const least = matchMedia("(any-pointer: coarse)").matches ? FINGER : MOUSE;
      narrow.value = smallestSide(felt, feltWidth(holder, felt)) < least;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(holder);
    measure();
    return () => observer.disconnect();
  }, [felt, always]);
  const bands = useMemo(() => bandsOf(felt, easy), [felt, easy]);
  const inBands = easy || narrow.value;
  const shown = useMemo(() => (inBands ? bands.flatMap((band) => band.boxes) : felt.boxes), [inBands, bands, felt]);
  useEffect(() => {
    if (!shown.some((box) => box.id === current.value)) current.value = shown[0]?.id ?? "";
  }, [shown]);
  return (
    <div
      class="felt"
      ref={root}
      data-form={inBands ? (easy ? "easy" : "bands") : "true"}
      style={{ "--ratio": String(felt.width / felt.height) }}
    >
      {inBands ? (
        <BandFelt bands={bands} easy={easy} show={show} play={play} current={current} />
      ) : (
        <TrueFelt felt={felt} least={least} show={show} play={play} current={current} />
      )}
    </div>
  );
}

/** How wide the true felt would be here: as wide as the holder, unless its height is the shorter measure. */
function feltWidth(holder: HTMLElement, felt: FeltView): number {
  const room = holder.parentElement ?? holder;
  const bounded = getComputedStyle(room).containerType === "size";
  return bounded ? Math.min(room.clientWidth, (room.clientHeight * felt.width) / felt.height) : room.clientWidth;
}

/** A signal for each box, made when it is first asked for. */
export class BoxSignals {
  #signals = new Map<string, Signal<BoxShow>>();

  constructor(private readonly make: (value: BoxShow) => Signal<BoxShow>) {}

  of = (box: string): Signal<BoxShow> => {
    let found = this.#signals.get(box);
    if (!found) {
      found = this.make(BARE);
      this.#signals.set(box, found);
    }
    return found;
  };

  /** Sets a box; an equal value wakes nobody. */
  set(box: string, next: BoxShow): void {
    const place = this.of(box);
    const now = place.peek();
    const same =
      now.lit === next.lit &&
      now.paid === next.paid &&
      now.stake.amount === next.stake.amount &&
      now.stake.state === next.stake.state &&
      now.stake.refused === next.stake.refused;
    if (!same) place.value = next;
  }
}

/** Boxes that change by a rule alone, as the wall's do: lit when they are among the winners. */
export function litBoxes(winners: ReadonlySignal<ReadonlySet<string>>): (box: string) => ReadonlySignal<BoxShow> {
  const made = new Map<string, ReadonlySignal<BoxShow>>();
  return (box) => {
    let found = made.get(box);
    if (!found) {
      const won = computed(() => winners.value.has(box));
      const some = computed(() => winners.value.size > 0);
      found = computed(() => ({ ...BARE, lit: won.value ? "won" : some.value ? "lost" : "" }));
      made.set(box, found);
    }
    return found;
  };
}
