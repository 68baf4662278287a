/** Dice entered by keypad: three faces, a look at what they mean, and only then the confirmation. */

export interface DiceEntry {
  readonly faces: readonly number[];
  /** The three faces were entered and their meaning is shown; the next Enter confirms. */
  readonly checking: boolean;
}

export interface Pressed {
  readonly entry: DiceEntry;
  readonly confirmed: boolean;
}

export const NO_DICE: DiceEntry = { faces: [], checking: false };

/** What a key does to the entry; null when the keypad has no such key. `most` is fewer than three for known faces. */
export function press(entry: DiceEntry, key: string, most = 3): Pressed | null {
  const stay = (next: DiceEntry): Pressed => ({ entry: next, confirmed: false });
  if (/^[1-6]$/.test(key)) {
    if (entry.checking || entry.faces.length >= most) return stay(entry);
    return stay({ faces: [...entry.faces, Number(key)], checking: false });
  }
  switch (key) {
    case "Backspace":
    case "Delete":
      return stay(
        entry.checking ? { ...entry, checking: false } : { faces: entry.faces.slice(0, -1), checking: false },
      );
    case "Escape":
      return stay(NO_DICE);
    case "Enter":
      if (entry.faces.length < most) return stay(entry);
      return entry.checking ? { entry, confirmed: true } : stay({ ...entry, checking: true });
    default:
      return null;
  }
}

/** As the dealer calls them: lowest first. */
export const called = (faces: readonly number[]): number[] => [...faces].sort((a, b) => a - b);
