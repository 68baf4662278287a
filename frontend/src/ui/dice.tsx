/** Dice drawn as dice: ivory, with a large red one and a red four, as at Asian tables. */
import { diceWords } from "../lib/dice-words.ts";
import { PIPS } from "../lib/pips.ts";
import { ChipSymbol } from "./chip.tsx";

/** The six faces and the chip, once a page; everything else refers to them by id. */
export function Sprite() {
  return (
    <svg class="sprite" aria-hidden="true" width="0" height="0">
      <defs>
        <linearGradient id="g-die" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="#ffffff" />
          <stop offset="0.5" stop-color="#f4efe3" />
          <stop offset="1" stop-color="#d9d0bd" />
        </linearGradient>
        <radialGradient id="g-red" cx="0.4" cy="0.35" r="0.8">
          <stop offset="0" stop-color="#e8333a" />
          <stop offset="1" stop-color="#a00d18" />
        </radialGradient>
        <radialGradient id="g-ink" cx="0.4" cy="0.35" r="0.8">
          <stop offset="0" stop-color="#45454d" />
          <stop offset="1" stop-color="#0c0c0f" />
        </radialGradient>
      </defs>
      <ChipSymbol />
      {[1, 2, 3, 4, 5, 6].map((face) => (
        <symbol id={`die-${face}`} viewBox="0 0 100 100">
          <rect x="6" y="9" width="90" height="90" rx="21" fill="#000" opacity="0.38" />
          <rect x="4" y="3" width="92" height="92" rx="21" fill="url(#g-die)" />
          <rect
            x="5.5"
            y="4.5"
            width="89"
            height="89"
            rx="19.5"
            fill="none"
            stroke="#fff"
            stroke-width="3"
            opacity="0.75"
          />
          {PIPS[face]!.map(([x, y]) => (
            <circle
              cx={50 + 25 * x}
              cy={49 + 25 * y}
              r={face === 1 ? 15 : 9.5}
              fill={face === 1 || face === 4 ? "url(#g-red)" : "url(#g-ink)"}
            />
          ))}
        </symbol>
      ))}
    </svg>
  );
}

export function Die({ face }: { face: number }) {
  return (
    <svg class="die" viewBox="0 0 100 100" aria-hidden="true">
      <use href={`#die-${face}`} />
    </svg>
  );
}

/** Three dice in a row, lowest first as they are called; written out for those who do not see them, or called. */
export function Dice({ faces, label }: { faces: readonly number[]; label?: string }) {
  return (
    <span class="dice" role="img" aria-label={label ?? diceWords(faces)}>
      {[...faces]
        .sort((a, b) => a - b)
        .map((face) => (
          <Die face={face} />
        ))}
    </span>
  );
}
