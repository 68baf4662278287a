/** The strokes of the throw: floor, dice, glass and cover, seen from a height that changes. */
import { PIPS } from "../lib/pips.ts";
import { type DieAt, FACES, inRoom, normalOf, type Turn, type Vector } from "./motion.ts";

export interface View {
  readonly width: number;
  readonly height: number;
  /** How far the eye is above the table, in radians: 0 level with it, a quarter turn right above. */
  readonly pitch: number;
  /** How high the shaker is above the table, and how far it leans. */
  readonly up: number;
  readonly lean: number;
}

type Pen = CanvasRenderingContext2D;
type Colour = readonly [red: number, green: number, blue: number];

const RADIUS = 2.5;
const LIGHT: Vector = [-0.42, 0.82, 0.39];
const IVORY: Colour = [250, 244, 230];
const RED = "#b3121f";
const INK = "#17171b";
const CORNER = 0.17;
const PIP = 0.098;
const GREAT_PIP = 0.16;

interface Eye {
  readonly x: number;
  readonly y: number;
  /** Where the table is under the shaker. */
  readonly ground: number;
  readonly size: number;
  readonly sin: number;
  readonly cos: number;
}

function eyeOf({ width, height, pitch, up }: View): Eye {
  const size = Math.min(width / 5.75, height / 5.3);
  const [sin, cos] = [Math.sin(pitch), Math.cos(pitch)];
  // The dome stands in the middle whatever the height of the eye.
  const rise = (RADIUS * (1 - sin)) / 2;
  const ground = height / 2 + size * rise;
  return { x: width / 2, y: ground - size * up, ground, size, sin, cos };
}

/** Everything that is drawn from here on leans with the shaker; its shadow on the table does not. */
export function takeShaker(pen: Pen, view: View): void {
  const eye = eyeOf(view);
  const r = eye.size * RADIUS;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.beginPath();
  pen.ellipse(eye.x, eye.ground + r * 0.1, r * 1.16, r * 1.16 * eye.sin, 0, 0, 2 * Math.PI);
  pen.fillStyle = `rgb(0 0 0 / ${0.5 - 0.5 * view.up})`;
  pen.fill();
  pen.translate(eye.x, eye.y);
  pen.rotate(view.lean);
  pen.translate(-eye.x, -eye.y);
}

/** A point of the room on the picture; nearer things are a little larger. */
function seen(eye: Eye, [x, y, z]: Vector): { x: number; y: number; near: number } {
  const depth = z * eye.cos + y * eye.sin;
  const near = 1 / (1 - depth * 0.045);
  return { x: eye.x + eye.size * x * near, y: eye.y - eye.size * (y * eye.cos - z * eye.sin) * near, near };
}

const shade = ([r, g, b]: Colour, by: number): string =>
  `rgb(${Math.round(r * by)} ${Math.round(g * by)} ${Math.round(b * by)})`;

/** The floor of the shaker: cloth in a brass ring. */
export function drawBase(pen: Pen, view: View): void {
  const eye = eyeOf(view);
  const [r, flat] = [eye.size * RADIUS, eye.sin];
  const disc = (by: number, fill: string | CanvasGradient, down = 0) => {
    pen.beginPath();
    pen.ellipse(eye.x, eye.y + down, r * by, r * by * flat, 0, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
  };
  disc(1.12, "#3a2512", r * 0.07);
  const brass = pen.createLinearGradient(eye.x - r, 0, eye.x + r, 0);
  for (const [at, colour] of [
    [0, "#7a5720"],
    [0.25, "#f3dc9c"],
    [0.5, "#b98a3a"],
    [0.75, "#f7e6b0"],
    [1, "#6d4c1a"],
  ] as const)
    brass.addColorStop(at, colour);
  disc(1.12, brass);
  const cloth = pen.createRadialGradient(eye.x - r * 0.2, eye.y - r * flat * 0.3, r * 0.1, eye.x, eye.y, r);
  cloth.addColorStop(0, "#1a8159");
  cloth.addColorStop(0.7, "#0b5036");
  cloth.addColorStop(1, "#063322");
  disc(1, cloth);
}

export function drawDie(pen: Pen, view: View, { at, turn }: DieAt): void {
  const eye = eyeOf(view);
  shadow(pen, eye, at);
  const middle = seen(eye, at);
  const side = eye.size * middle.near;
  const flat = (v: Vector): readonly [number, number] => [side * v[0], side * (v[2] * eye.sin - v[1] * eye.cos)];
  const towards: Vector = [0, eye.sin, eye.cos];
  const facing = FACES.map((face) => ({ face, normal: inRoom(turn, normalOf(face)) }))
    .map((one) => ({
      ...one,
      front: one.normal[0] * towards[0] + one.normal[1] * towards[1] + one.normal[2] * towards[2],
    }))
    .filter((one) => one.front > 0.02)
    .sort((a, b) => a.front - b.front);
  for (const { face, normal } of facing) {
    const [across, along] = axesOf(turn, face);
    const [ax, ay] = flat(across);
    const [bx, by] = flat(along);
    const [nx, ny] = flat(normal);
    const light = 0.6 + 0.42 * Math.max(0, normal[0] * LIGHT[0] + normal[1] * LIGHT[1] + normal[2] * LIGHT[2]);
    pen.save();
    pen.transform(ax, ay, bx, by, middle.x + nx / 2, middle.y + ny / 2);
    drawFace(pen, face, light);
    pen.restore();
  }
}

/** Two sides of a face, so that its pips stand as on a real die. */
function axesOf(turn: Turn, face: number): readonly [Vector, Vector] {
  const [right, up, ahead] = turn;
  if (face === 1 || face === 6) return [right, ahead];
  return face === 2 || face === 5 ? [right, up] : [ahead, up];
}

/** One face in its own square, from -½ to ½. */
function drawFace(pen: Pen, face: number, light: number): void {
  // The body between the rounded faces, a shade darker.
  pen.beginPath();
  pen.roundRect(-0.5, -0.5, 1, 1, 0.07);
  pen.fillStyle = shade(IVORY, light * 0.86);
  pen.fill();
  pen.beginPath();
  pen.roundRect(-0.47, -0.47, 0.94, 0.94, CORNER);
  pen.fillStyle = shade(IVORY, Math.min(1, light));
  pen.fill();
  pen.fillStyle = face === 1 || face === 4 ? RED : INK;
  for (const [x, y] of PIPS[face]!) {
    pen.beginPath();
    pen.arc(0.25 * x, 0.25 * y, face === 1 ? GREAT_PIP : PIP, 0, 2 * Math.PI);
    pen.fill();
  }
}

function shadow(pen: Pen, eye: Eye, [x, y, z]: Vector): void {
  const floor = seen(eye, [x + 0.12 * y, 0, z + 0.05]);
  const spread = eye.size * (0.66 + 0.16 * y);
  pen.beginPath();
  pen.ellipse(floor.x, floor.y, spread, spread * eye.sin, 0, 0, 2 * Math.PI);
  pen.fillStyle = `rgb(0 0 0 / ${Math.max(0.08, 0.42 - 0.16 * (y - 0.5))})`;
  pen.fill();
}

/** The outline of a dome: above half a circle, below the near edge of its ring. */
function dome(pen: Pen, eye: Eye, r: number): void {
  pen.beginPath();
  pen.arc(eye.x, eye.y, r, Math.PI, 2 * Math.PI);
  pen.ellipse(eye.x, eye.y, r, r * eye.sin, 0, 0, Math.PI);
  pen.closePath();
}

export function drawGlass(pen: Pen, view: View): void {
  const eye = eyeOf(view);
  const r = eye.size * RADIUS;
  dome(pen, eye, r);
  const glass = pen.createRadialGradient(eye.x - r * 0.35, eye.y - r * 0.55, r * 0.1, eye.x, eye.y - r * 0.2, r * 1.15);
  glass.addColorStop(0, "rgb(255 255 255 / 0.2)");
  glass.addColorStop(0.55, "rgb(255 255 255 / 0.03)");
  glass.addColorStop(1, "rgb(210 235 255 / 0.22)");
  pen.fillStyle = glass;
  pen.fill();
  pen.lineWidth = Math.max(1, r * 0.014);
  pen.strokeStyle = "rgb(255 255 255 / 0.42)";
  pen.stroke();
  pen.lineCap = "round";
  pen.lineWidth = r * 0.035;
  pen.strokeStyle = "rgb(255 255 255 / 0.5)";
  pen.beginPath();
  pen.arc(eye.x, eye.y - r * 0.02, r * 0.86, Math.PI * 1.14, Math.PI * 1.36);
  pen.stroke();
}

/** The cover: red lacquer with a brass knob. Lifted it goes up and out of sight. */
export function drawCover(pen: Pen, view: View, lift: number): void {
  const eye = eyeOf(view);
  const r = eye.size * RADIUS * 1.02;
  pen.save();
  // It is gone before it would meet the picture's edge.
  pen.globalAlpha *= 1 - Math.max(0, lift - 0.2) / 0.8;
  pen.translate(0, -lift * r * 0.6);
  dome(pen, eye, r);
  const lacquer = pen.createRadialGradient(
    eye.x - r * 0.4,
    eye.y - r * 0.6,
    r * 0.08,
    eye.x,
    eye.y - r * 0.25,
    r * 1.2,
  );
  lacquer.addColorStop(0, "#e0525b");
  lacquer.addColorStop(0.35, "#a3171f");
  lacquer.addColorStop(1, "#4a070c");
  pen.fillStyle = lacquer;
  pen.fill();
  pen.lineWidth = r * 0.05;
  pen.strokeStyle = "#e8c877";
  pen.beginPath();
  pen.ellipse(eye.x, eye.y, r * 0.985, r * 0.985 * eye.sin, 0, 0, Math.PI);
  pen.stroke();
  pen.beginPath();
  pen.ellipse(eye.x, eye.y - r * eye.cos * 0.99, r * 0.13, r * 0.12, 0, 0, 2 * Math.PI);
  pen.fillStyle = "#f3dc9c";
  pen.fill();
  pen.lineWidth = r * 0.018;
  pen.strokeStyle = "rgb(247 230 176 / 0.55)";
  pen.beginPath();
  pen.arc(eye.x, eye.y, r * 0.8, Math.PI * 1.15, Math.PI * 1.42);
  pen.stroke();
  pen.restore();
}
