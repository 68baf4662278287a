/** A chip: coloured clay with ivory spots, an ivory inlay, and its amount. */

export const COLOURS = ["blue", "red", "green", "black", "violet", "orange"] as const;

/** Everything of a chip but its amount; its colour comes from where it is used. */
export function ChipSymbol() {
  return (
    <symbol id="chip" viewBox="0 0 100 100" overflow="visible">
      <circle cx="50" cy="53" r="47" class="chip-shadow" />
      <circle cx="50" cy="50" r="47" class="chip-clay" />
      <circle cx="50" cy="50" r="41" class="chip-spots" />
      <circle cx="50" cy="50" r="33" class="chip-inlay" />
      <circle cx="50" cy="50" r="29.5" class="chip-ring" />
    </symbol>
  );
}

const SIZES = [36, 36, 36, 29, 23, 19];

export function Chip({ figure, colour }: { figure: string; colour: number }) {
  const size = SIZES[figure.length] ?? 16;
  return (
    <svg class="chip" viewBox="0 0 100 100" aria-hidden="true" data-colour={COLOURS[colour % COLOURS.length]!}>
      <use href="#chip" />
      <text x="50" y={50 + size * 0.36} font-size={size}>
        {figure}
      </text>
    </svg>
  );
}
