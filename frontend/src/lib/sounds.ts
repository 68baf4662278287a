/** Short tones, made on the spot; off at a touch. */
import { preference } from "./prefs.ts";

export const soundOn = preference("sound", true);

type Tone = readonly [frequency: number, start: number, length: number, loudness: number];
export type SoundName = "chip" | "remove" | "open" | "tick" | "close" | "result" | "win" | "refused";

const TONES: Readonly<Record<SoundName, readonly Tone[]>> = {
  chip: [
    [2100, 0, 0.03, 0.12],
    [3200, 0.012, 0.03, 0.08],
  ],
  remove: [[1300, 0, 0.04, 0.08]],
  open: [
    [523, 0, 0.16, 0.12],
    [784, 0.14, 0.28, 0.12],
  ],
  tick: [[990, 0, 0.06, 0.1]],
  close: [
    [440, 0, 0.22, 0.2],
    [330, 0.2, 0.42, 0.2],
  ],
  result: [
    [660, 0, 0.12, 0.12],
    [660, 0.16, 0.12, 0.12],
    [880, 0.32, 0.3, 0.12],
  ],
  win: [
    [784, 0, 0.12, 0.14],
    [988, 0.11, 0.12, 0.14],
    [1175, 0.22, 0.12, 0.14],
    [1568, 0.33, 0.4, 0.14],
  ],
  refused: [[196, 0, 0.18, 0.2]],
};

let context: AudioContext | null = null;

/** Browsers let a page sound only after a touch or a key; called at the first. */
export function wakeSound(): void {
  if (!soundOn.value || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}

export function play(name: SoundName): void {
  if (!soundOn.value || context?.state !== "running") return;
  for (const [frequency, start, length, loudness] of TONES[name]) {
    const at = context.currentTime + start;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = name === "close" || name === "refused" ? "triangle" : "sine";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(loudness, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length + 0.02);
  }
}
