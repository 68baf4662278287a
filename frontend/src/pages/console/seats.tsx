/** The seats of a live table: a free one is taken with a touch, a taken one opens its player. */
import type { Signal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import type { Console } from "./model.ts";
import type { PanelName } from "./panels.tsx";

const seatsOf = (console: Console): readonly number[] =>
  Array.from({ length: console.view.value?.seats_max ?? 0 }, (_, place) => place + 1);

export function freeSeats(console: Console): readonly number[] {
  const taken = new Set(console.view.value?.seats.map((one) => one.seat));
  return seatsOf(console).filter((seat) => !taken.has(seat));
}

/** Whoever sits down without a name is a guest; a name can be given with Add a player. */
export function Seats({ console, panel }: { console: Console; panel: Signal<PanelName | null> }) {
  const taken = new Map(console.view.value?.seats.map((one) => [one.seat, one.player]));
  const seats = seatsOf(console);
  if (!seats.length) return null;
  return (
    <div class="seats" role="group" aria-label={t("seats")}>
      {seats.map((seat) => {
        const player = taken.get(seat);
        const run = () =>
          player
            ? (panel.value = `player:${player}`)
            : void console.done("TakeSeat", t("seat_is_taken", { n: seat }), { seat });
        return (
          <button
            type="button"
            class="quiet seat"
            data-taken={player !== undefined}
            aria-label={player ? t("seat_of", { n: seat, player }) : t("seat_free", { n: seat })}
            onClick={run}
          >
            <small>{seat}</small>
            <b>{player ?? "+"}</b>
          </button>
        );
      })}
    </div>
  );
}
