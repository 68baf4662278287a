/** The connection as four bars and a word. */
import type { Connection } from "../lib/connection.ts";
import { type Key, t } from "../lib/i18n.ts";

function barsFor(trip: number | null): number {
  if (trip === null) return 4;
  return trip < 120 ? 4 : trip < 300 ? 3 : trip < 800 ? 2 : 1;
}

export function LinkMeter({ connection }: { connection: Connection }) {
  const state = connection.state.value;
  const word = t(`link_${state.replaceAll("-", "_")}` as Key);
  const bars = state === "live" || state === "slow" ? barsFor(connection.trip.value) : 0;
  const trip = connection.trip.value === null ? "" : ` ${Math.round(connection.trip.value)} ms`;
  return (
    <span class="link" data-state={state} title={word + trip}>
      <svg viewBox="0 0 20 16" aria-hidden="true">
        {[0, 1, 2, 3].map((bar) => (
          <rect x={bar * 5} y={12 - bar * 4} width="3.4" height={4 + bar * 4} rx="1" class={bar < bars ? "on" : ""} />
        ))}
      </svg>
      <span class="word">{word}</span>
    </span>
  );
}
