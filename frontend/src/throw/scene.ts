/** The throw on a canvas: shaker, cover, three dice. Loaded after the first picture; it decides nothing. */
import { type DieAt, resting, settling, shaken, tumbling } from "./motion.ts";
import { drawBase, drawCover, drawDie, drawGlass, takeShaker, type View } from "./paint.ts";
import { NEXT_DIE_MS, SETTLE_MS, TUMBLE_MS } from "./timing.ts";

/** What the record says of the throw so far. */
export interface Step {
  /** Whether the rulebook has the dice tumbled under a cover. */
  readonly covered: boolean;
  readonly tumbles: number | null;
  readonly exposed: boolean;
  /** The faces, once they are on the record. */
  readonly dice: readonly number[] | null;
}

export type Stage = "waiting" | "tumbling" | "settling" | "settled";

export interface SceneOptions {
  /** Whoever wants no motion gets a still, and a cross-fade to the next. */
  readonly calm: boolean;
  readonly stage: (now: Stage) => void;
  /** A die hits the floor: for the ear. */
  readonly knock: (hard: number) => void;
}

const FADE_MS = 240;
const LIFT_MS = 420;
const LOW = 0.5; // how far the eye is above the table while the dice tumble, and when they are read
const HIGH = 1.02;
const THREE = [0, 1, 2] as const;
const FIRST: readonly number[] = [1, 2, 4];

const smooth = (share: number): number => {
  const held = Math.max(0, Math.min(1, share));
  return held * held * (3 - 2 * held);
};

export class Scene {
  #context: CanvasRenderingContext2D;
  #step: Step = { covered: true, tumbles: null, exposed: false, dice: null };
  #stage: Stage = "waiting";
  #since = 0;
  #from: readonly DieAt[] = THREE.map((die) => resting(die, FIRST[die]!));
  #frame = 0;
  #beat = -1;
  #knocked = 0;
  /** What the dice showed last: so they lie until they are thrown again. */
  #last: readonly number[] = FIRST;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly options: SceneOptions,
  ) {
    this.#context = canvas.getContext("2d")!;
    this.#turn("waiting");
  }

  /** The record moved on. */
  follow(step: Step): void {
    const before = this.#step;
    this.#step = step;
    if (step.dice) {
      this.#last = step.dice;
      if (before.dice?.join() !== step.dice.join()) this.#turn(this.options.calm ? "settled" : "settling");
    } else if (step.tumbles !== null) {
      if (before.tumbles === null || before.dice) this.#turn("tumbling");
    } else if (before.tumbles !== null || before.dice) this.#turn("waiting");
    this.#wake();
  }

  /** The room for the picture has changed. */
  resize(): void {
    this.#wake();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #turn(to: Stage): void {
    const now = performance.now();
    if (to === "settling") this.#from = THREE.map((die) => tumbling(die, now - this.#since, 99));
    this.#stage = to;
    this.#since = now;
    this.#beat = -1;
    this.#knocked = 0;
    this.options.stage(to);
    this.#wake();
  }

  #wake(): void {
    this.#frame ||= requestAnimationFrame(this.#draw);
  }

  #draw = (now: number): void => {
    this.#frame = 0;
    const ms = Math.max(0, now - this.#since);
    if (this.#stage === "settling" && ms >= SETTLE_MS) this.#turn("settled");
    const calm = this.options.calm;
    this.#picture(ms);
    if (!calm) this.#sound(ms);
    const fades = calm && ms < FADE_MS;
    if (fades || (!calm && (this.#stage === "tumbling" || this.#stage === "settling"))) this.#wake();
  };

  #sound(ms: number): void {
    if (this.#stage === "tumbling") {
      const beat = Math.floor((2 * ms) / TUMBLE_MS);
      if (beat !== this.#beat && beat < 2 * (this.#step.tumbles ?? 3)) this.options.knock(0.5);
      this.#beat = beat;
    } else if (this.#stage === "settling") {
      const down = THREE.filter((die) => ms > 130 + die * NEXT_DIE_MS).length;
      if (down > this.#knocked) this.options.knock(1);
      this.#knocked = down;
    }
  }

  #dice(ms: number): readonly DieAt[] {
    const faces = [...this.#last].sort((a, b) => a - b);
    if (this.#stage === "tumbling") return THREE.map((die) => tumbling(die, ms, this.#step.tumbles ?? 3));
    if (this.#stage === "settling") return THREE.map((die) => settling(die, faces[die]!, ms, this.#from[die]!));
    return THREE.map((die) => resting(die, faces[die]!));
  }

  /** How far the cover is up: 0 on, 1 away. */
  #lift(ms: number): number {
    if (!this.#step.covered) return 1;
    if (this.#stage === "settled") return 1;
    if (this.#stage === "settling") return smooth(ms / LIFT_MS);
    return this.#step.exposed ? 0.12 : 0; // seen by the dealer, not yet on the record
  }

  #view(ms: number): View {
    const { width, height } = this.canvas;
    const read = this.#stage === "settled" ? 1 : this.#stage === "settling" ? smooth(ms / SETTLE_MS) : 0;
    const tumbles = this.#stage === "tumbling" && !this.options.calm ? (this.#step.tumbles ?? 3) : 0;
    return { width, height, pitch: LOW + (HIGH - LOW) * read, ...shaken(ms, tumbles) };
  }

  #picture(ms: number): void {
    const { canvas } = this;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    if (!width || !height) return;
    const pen = this.#context;
    const calm = this.options.calm;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    // With a still, the next picture comes up over the paper: no motion, only light.
    pen.globalAlpha = calm && ms < FADE_MS ? smooth(ms / FADE_MS) : 1;
    const view = this.#view(calm ? Infinity : ms);
    const lift = this.#lift(calm ? Infinity : ms);
    takeShaker(pen, view);
    drawBase(pen, view);
    if (lift > 0) {
      // While nobody knows the faces, no face is shown: what is under glass only moves.
      const unread = this.#stage === "waiting" || this.#stage === "tumbling";
      if (!(unread && (calm || this.#stage === "waiting") && this.#step.covered)) {
        const dice = this.#dice(calm ? 0 : ms);
        for (const die of [...dice].sort((a, b) => a.at[2] - b.at[2])) drawDie(pen, view, die);
      }
    }
    drawGlass(pen, view);
    if (this.#step.covered && lift < 1) drawCover(pen, view, lift);
    pen.globalAlpha = 1;
  }
}
