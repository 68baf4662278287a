/** Which act a key stands for on the felt. Pure, so that the map can be tested and shown to the player. */

export type Direction = "left" | "right" | "up" | "down" | "first" | "last";

export type KeyAct =
  | { readonly act: "move"; readonly to: Direction }
  | { readonly act: "chip"; readonly index: number }
  | { readonly act: "remove" }
  | { readonly act: "undo" | "clear" | "rebet" | "double" };

export interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const MOVES: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};
const LETTERS: Readonly<Record<string, "undo" | "clear" | "rebet" | "double">> = {
  u: "undo",
  c: "clear",
  r: "rebet",
  d: "double",
};

/**
 * What a key means. Moving and taking away belong to the felt itself (`onFelt`); chips and letters work
 * wherever nothing is being written. Letters can be switched off. Enter and Space are the button's own.
 */
export function keyAct(event: Key, where: { onFelt: boolean; letters: boolean }): KeyAct | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const move = MOVES[event.key];
  if (move) return where.onFelt ? { act: "move", to: move } : null;
  if (event.key === "Backspace" || event.key === "Delete") return where.onFelt ? { act: "remove" } : null;
  if (/^[1-9]$/.test(event.key)) return { act: "chip", index: Number(event.key) - 1 };
  const letter = LETTERS[event.key.toLowerCase()];
  return letter && where.letters ? { act: letter } : null;
}

/** Whether a key pressed there is text for a field, not an act. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const centre = (rect: Rect): readonly [number, number] => [rect.left + rect.width / 2, rect.top + rect.height / 2];

/** The box that lies in a direction: the nearest ahead, where drifting sideways counts three times. */
export function neighbour(rects: readonly Rect[], from: number, to: Direction): number {
  if (to === "first") return 0;
  if (to === "last") return rects.length - 1;
  const here = rects[from];
  if (!here) return 0;
  const [x, y] = centre(here);
  const level = to === "left" || to === "right";
  const sign = to === "left" || to === "up" ? -1 : 1;
  let best = from;
  let least = Infinity;
  rects.forEach((rect, index) => {
    if (index === from) return;
    const [cx, cy] = centre(rect);
    const edge = level
      ? sign * (sign < 0 ? rect.left + rect.width - here.left : rect.left - here.left - here.width)
      : sign * (sign < 0 ? rect.top + rect.height - here.top : rect.top - here.top - here.height);
    if (edge < -1) return; // it does not lie wholly ahead
    const drift = level
      ? Math.max(0, Math.abs(cy - y) - (rect.height + here.height) / 2) + Math.abs(cy - y) / 100
      : Math.max(0, Math.abs(cx - x) - (rect.width + here.width) / 2) + Math.abs(cx - x) / 100;
    const distance = edge + 3 * drift;
    if (distance < least) [best, least] = [index, distance];
  });
  return best;
}
