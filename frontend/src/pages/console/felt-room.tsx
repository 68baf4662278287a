/** The felt of the table: all bets together, or one player's while staff enter them. */
import { useComputed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { t } from "../../lib/i18n.ts";
import { hasParity } from "../../lib/phase.ts";
import { Chip } from "../../ui/chip.tsx";
import { Felt, type FeltPlay } from "../../ui/felt.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ResultList } from "../../ui/results.tsx";
import { BigRoadPicture } from "../../ui/roads.tsx";
import { Switch } from "../../ui/staff/fields.tsx";
import { cash } from "../../ui/staff/session.ts";
import type { Console } from "./model.ts";
import { colourName, shortName } from "./side.tsx";

function Figures({ console }: { console: Console }) {
  const view = console.view.value;
  const live = console.table.value?.kind === "live";
  return (
    <dl class="figures">
      <div>
        <dt>{t(live ? "players_betting" : "terminals_betting")}</dt>
        <dd>{view?.players ?? 0}</dd>
      </div>
      <div>
        <dt>{t("staked_now")}</dt>
        <dd>{cash(view?.staked ?? 0)}</dd>
      </div>
      <div>
        <dt>{t("pace")}</dt>
        <dd>{console.pace.value === null ? "–" : t("per_hour", { n: console.pace.value })}</dd>
      </div>
    </dl>
  );
}

/** The tray while bets are entered for somebody: chips, undo, clear, register. */
function Tray({ console }: { console: Console }) {
  const { behalf } = console;
  const chosen = behalf.chip.value;
  const colour = behalf.colour.value;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const count = console.chips.value.length;
    behalf.chipIndex.value = (console.chips.value.indexOf(chosen) + step + count) % count;
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=radio]")[behalf.chipIndex.value]?.focus();
  };
  return (
    <section class="tray" aria-label={t("bets_for", { player: shortName(behalf.player.value, console.name) })}>
      {colour && (
        <Switch
          label={t("in_colour", {
            colour: colourName(colour.colour),
            value: cash(colour.value),
            n: behalf.inHand.value,
          })}
          of={behalf.inColour}
        />
      )}
      {!behalf.inColour.value && (
        <div class="chips" role="radiogroup" aria-label={t("chip_choice")} onKeyDown={move}>
          {console.chips.value.map((amount, index) => (
            <button
              type="button"
              role="radio"
              aria-checked={amount === chosen}
              tabIndex={amount === chosen ? 0 : -1}
              aria-label={cash(amount)}
              onClick={() => (behalf.chipIndex.value = index)}
            >
              <Chip {...console.chipOf(amount)} />
            </button>
          ))}
        </div>
      )}
      <Switch label={t("on_request")} of={behalf.onRequest} hint={t("on_request_hint")} />
      <p class="tray-sum">
        <span class="small">{shortName(behalf.player.value, console.name)}</span>
        <b>{cash(behalf.total.value)}</b>
        {behalf.of.value?.credit != null && <small>{t("credit_free", { amount: cash(behalf.of.value.credit) })}</small>}
      </p>
      <div class="tray-acts">
        <button type="button" class="quiet" aria-disabled={!behalf.canUndo.value} onClick={behalf.undo}>
          <Icon name="undo" /> {t("take_back")}
        </button>
        <button type="button" class="quiet" aria-disabled={!behalf.total.value} onClick={behalf.clear}>
          <Icon name="clear" /> {t("take_all")}
        </button>
        <button type="button" class="quiet" onClick={behalf.leave}>
          {t("cancel")}
        </button>
        <button
          type="button"
          class="solid"
          aria-disabled={!behalf.changed.value || !behalf.open.value}
          onClick={() => void behalf.register()}
        >
          {t("bets_register")}
        </button>
      </div>
    </section>
  );
}

/** The past of the table, as the wall shows it. */
function Past({ console }: { console: Console }) {
  const results = console.history.value;
  return (
    <section class="card past" aria-labelledby="past-head">
      <h2 id="past-head">{t("last_results")}</h2>
      <div class="past-boards">
        <ResultList results={results} count={8} />
        <BigRoadPicture results={results} stream="big-small" columns={18} triples="mark" />
        {hasParity(console.felt.value!.boxes) && (
          <BigRoadPicture results={results} stream="odd-even" columns={18} triples="mark" />
        )}
      </div>
    </section>
  );
}

export function FeltRoom({ console }: { console: Console }) {
  const { behalf } = console;
  const play = useMemo<FeltPlay>(
    () => ({
      open: behalf.open,
      add: behalf.add,
      remove: behalf.remove,
      chip: console.chipOf,
      spoken: console.spoken,
      looking: console.looking,
    }),
    [console],
  );
  const entering = useComputed(() => String(behalf.player.value !== ""));
  const felt = console.felt.value!;
  // A picture may be small; boxes that are touched may not.
  const fingers = behalf.player.value !== "" && matchMedia("(max-width: 899px)").matches;
  return (
    <section class="felt-room" data-entering={entering} aria-label={t("layout")}>
      <Figures console={console} />
      <div class="room">
        <Felt key={String(fingers)} felt={felt} show={console.boxes.of} play={play} always={!fingers} />
      </div>
      {behalf.player.value ? <Tray console={console} /> : <Past console={console} />}
    </section>
  );
}
