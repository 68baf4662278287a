/** Where the three dice are at a moment of the throw, and how they are turned. Pure: the same moment, the same picture. */
import { DIE_RESTS_MS, NEXT_DIE_MS, TUMBLE_MS } from "./timing.ts";

export type Vector = readonly [x: number, y: number, z: number];
/** The directions of a die's own axes, as columns: right, up, towards us. */
export type Turn = readonly [Vector, Vector, Vector];

export interface DieAt {
  readonly at: Vector;
  readonly turn: Turn;
}

/** Half a side: how high the middle of a die is that lies flat. */
const HALF = 0.5;
const RESTS: readonly Vector[] = [
  [-1.36, HALF, 0.62],
  [0, HALF, 0.2],
  [1.36, HALF, 0.7],
];
const YAWS = [0.28, -0.16, 0.4];

/** Opposite faces add up to seven; each face's own "up" is one of the six directions. */
const NORMALS: Readonly<Record<number, Vector>> = {
  1: [0, 1, 0],
  6: [0, -1, 0],
  2: [0, 0, 1],
  5: [0, 0, -1],
  3: [1, 0, 0],
  4: [-1, 0, 0],
};
export const FACES = [1, 2, 3, 4, 5, 6] as const;
export const normalOf = (face: number): Vector => NORMALS[face]!;

const scale = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by];
const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vector): Vector => scale(a, 1 / Math.hypot(...a));

/** A direction turned about an axis. */
export function turned(v: Vector, axis: Vector, angle: number): Vector {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return add(add(scale(v, c), scale(cross(axis, v), s)), scale(axis, dot(axis, v) * (1 - c)));
}

const turnBy = (turn: Turn, axis: Vector, angle: number): Turn =>
  turn.map((one) => turned(one, axis, angle)) as unknown as Turn;

/** A direction of the die in the room. */
export const inRoom = (turn: Turn, v: Vector): Vector =>
  add(add(scale(turn[0], v[0]), scale(turn[1], v[1])), scale(turn[2], v[2]));

const STRAIGHT: Turn = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const UP: Vector = [0, 1, 0];

/** A die that shows a face on top, turned a little as dice lie. */
export function showing(face: number, yaw: number): Turn {
  const normal = normalOf(face);
  const cosine = dot(normal, UP);
  const upright: Turn =
    cosine > 0.5
      ? STRAIGHT
      : cosine < -0.5
        ? turnBy(STRAIGHT, [1, 0, 0], Math.PI)
        : turnBy(STRAIGHT, unit(cross(normal, UP)), Math.PI / 2);
  return turnBy(upright, UP, yaw);
}

/** Which face is on top: the one whose direction in the room points most upwards. */
export function topFace(turn: Turn): number {
  return FACES.reduce((best, face) =>
    inRoom(turn, normalOf(face))[1] > inRoom(turn, normalOf(best))[1] ? face : best,
  ) as number;
}

/** Every die turns about an axis of its own, at a pace of its own. */
const AXES: readonly Vector[] = [unit([0.8, 0.5, 0.35]), unit([-0.45, 0.7, 0.6]), unit([0.3, -0.55, 0.8])];
const PACES = [0.0132, 0.0151, 0.0119];

/** How hard the shaker throws now: three tumbles or more, then only a tremor while nobody knows the faces. */
function strength(ms: number, tumbles: number): number {
  const place = ms / TUMBLE_MS;
  return place < tumbles ? 1 - 0.25 * Math.sin(Math.PI * (place % 1)) : Math.max(0.16, 1 - 2.4 * (place - tumbles));
}

/** How the shaker itself goes: up with every tumble and down again, leaning to one side and then to the other. */
export function shaken(ms: number, tumbles: number): { readonly up: number; readonly lean: number } {
  const place = ms / TUMBLE_MS;
  if (place >= tumbles) return { up: 0, lean: 0 };
  const swing = Math.sin(Math.PI * (place % 1));
  return { up: 0.4 * swing, lean: 0.11 * (Math.floor(place) % 2 ? 1 : -1) * swing + 0.012 * Math.sin(ms * 0.07) };
}

/** In the shaker: up with each tumble, down again, around each other. */
export function tumbling(die: number, ms: number, tumbles: number): DieAt {
  const force = strength(ms, tumbles);
  const beat = (ms / TUMBLE_MS) * Math.PI * 2 + die * 1.9;
  const around = ms * 0.0042 + (die * 2 * Math.PI) / 3;
  const far = 0.75 + 0.5 * Math.sin(ms * 0.0031 + die * 2.1) * force;
  return {
    at: [far * 1.15 * Math.cos(around), HALF + force * 1.25 * Math.abs(Math.sin(beat)), far * 0.8 * Math.sin(around)],
    turn: turnBy(STRAIGHT, AXES[die]!, ms * PACES[die]! * Math.max(0.35, force) + die),
  };
}

const easeOut = (share: number): number => 1 - (1 - share) ** 3;

/** From the shaker to rest: one die after the other, each with two small hops, on the face that it has to show. */
export function settling(die: number, face: number, ms: number, from: DieAt): DieAt {
  const share = Math.max(0, Math.min(1, (ms - die * NEXT_DIE_MS) / DIE_RESTS_MS));
  if (share === 0) return tumbling(die, ms + die * 977, 99);
  const gone = easeOut(share);
  const rest = RESTS[die]!;
  const hop = Math.abs(Math.cos(share * Math.PI * 2.5)) * (1 - share) ** 2 * 1.5;
  const between = add(scale(from.at, 1 - gone), scale(rest, gone));
  return {
    at: [between[0], share === 1 ? HALF : HALF + hop, between[2]],
    turn: turnBy(showing(face, YAWS[die]!), AXES[die]!, (1 - gone) * 7.5),
  };
}

/** Where a die lies in the end. */
export const resting = (die: number, face: number): DieAt => ({ at: RESTS[die]!, turn: showing(face, YAWS[die]!) });
