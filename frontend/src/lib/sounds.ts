/** What is heard at a table: clay on cloth, dice on wood, a bell. Made on the spot; off at a touch. */
import { preference } from "./prefs.ts";

export const soundOn = preference("sound", true);

/** A tone that fades, or a burst of noise around a pitch: clay and wood are mostly noise. */
interface Sound {
  readonly kind: "tone" | "bell" | "noise";
  readonly pitch: number;
  readonly at: number;
  readonly length: number;
  readonly loud: number;
  /** How narrow the noise is: wood rings, cloth does not. */
  readonly ring?: number;
}

const tone = (pitch: number, at: number, length: number, loud: number): Sound => ({
  kind: "tone",
  pitch,
  at,
  length,
  loud,
});
const bell = (pitch: number, at: number, length: number, loud: number): Sound => ({
  kind: "bell",
  pitch,
  at,
  length,
  loud,
});
const noise = (pitch: number, at: number, length: number, loud: number, ring = 3): Sound => ({
  kind: "noise",
  pitch,
  at,
  length,
  loud,
  ring,
});

/** Two clay discs that touch: a sharp edge, a ring of clay, and the cloth under them. */
const clay = (at: number, loud: number): Sound[] => [
  noise(5200, at, 0.018, loud, 2),
  tone(2100, at, 0.028, 0.5 * loud),
  noise(3100, at + 0.016, 0.03, 0.7 * loud, 6),
  noise(260, at, 0.05, 0.6 * loud, 1),
];
/** A die on wood: the knock, and the hollow below it. */
const knock = (at: number, loud: number): Sound[] => [
  noise(1900, at, 0.022, loud, 4),
  noise(720, at + 0.004, 0.06, 0.9 * loud, 9),
  tone(310, at, 0.05, 0.35 * loud),
];

const SOUNDS = {
  chip: clay(0, 0.3),
  remove: [...clay(0, 0.16), noise(900, 0.02, 0.08, 0.08, 1)],
  stack: [0, 0.07, 0.13, 0.18, 0.24].flatMap((at, place) => clay(at, 0.26 - 0.03 * place)),
  rattle: [...knock(0, 0.12), ...knock(0.05, 0.08)],
  die: [...knock(0, 0.34), ...knock(0.09, 0.14)],
  open: [bell(523, 0, 0.5, 0.12), bell(784, 0.13, 0.8, 0.1)],
  tick: [noise(2600, 0, 0.016, 0.22, 8)],
  close: [tone(440, 0, 0.22, 0.16), tone(330, 0.2, 0.42, 0.16)],
  result: [bell(660, 0, 0.9, 0.12)],
  win: [784, 988, 1175, 1568].map((pitch, place) => bell(pitch, 0.1 * place, 0.7, 0.1)),
  jackpot: [523, 659, 784, 1047, 1319, 1568, 2093].map((pitch, place) => bell(pitch, 0.09 * place, 1.1, 0.11)),
  call: [bell(880, 0, 0.6, 0.16), bell(1175, 0.16, 0.9, 0.14)],
  alarm: [0, 0.28, 0.56].flatMap((at) => [tone(988, at, 0.13, 0.2), tone(740, at + 0.13, 0.13, 0.2)]),
  refused: [tone(196, 0, 0.18, 0.18)],
} as const satisfies Readonly<Record<string, readonly Sound[]>>;

export type SoundName = keyof typeof SOUNDS;

let context: AudioContext | null = null;
let hiss: AudioBuffer | null = null;

/** Browsers let a page sound only after a touch or a key; called at the first. */
export function wakeSound(): void {
  if (!soundOn.value || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}

export function play(name: SoundName): void {
  if (!soundOn.value || context?.state !== "running") return;
  for (const sound of SOUNDS[name]) start(context, sound);
}

function start(on: AudioContext, { kind, pitch, at, length, loud, ring }: Sound): void {
  const begins = on.currentTime + at;
  const gain = on.createGain();
  gain.gain.setValueAtTime(loud, begins);
  gain.gain.exponentialRampToValueAtTime(0.0001, begins + length);
  gain.connect(on.destination);
  if (kind === "noise") {
    const source = on.createBufferSource();
    const filter = on.createBiquadFilter();
    source.buffer = hiss ??= noiseOf(on);
    filter.type = "bandpass";
    filter.frequency.value = pitch;
    filter.Q.value = ring ?? 1;
    source.connect(filter).connect(gain);
    source.start(begins, (pitch % 97) / 200, length + 0.02);
    return;
  }
  // A bell has a second voice above its own, which fades with it.
  for (const [above, part] of kind === "bell"
    ? ([
        [1, 1],
        [2.76, 0.3],
      ] as const)
    : ([[1, 1]] as const)) {
    const source = on.createOscillator();
    const share = on.createGain();
    source.frequency.value = pitch * above;
    share.gain.value = part;
    source.connect(share).connect(gain);
    source.start(begins);
    source.stop(begins + length + 0.02);
  }
}

/** A second of noise, made once. */
function noiseOf(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, on.sampleRate, on.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place += 1) samples[place] = 2 * Math.random() - 1;
  return buffer;
}
