/** The rail under the felt: chips to choose from, and what can be done with the slip and the credit. */
import type { Signal } from "@preact/signals";
import { freshId } from "../../lib/api.ts";
import { t } from "../../lib/i18n.ts";
import type { Readiness } from "../../lib/types.ts";
import { Chip } from "../../ui/chip.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { Terminal } from "./model.ts";
import { easyMode } from "./seat.ts";

/** What opens over the table; the panels themselves are loaded after the first picture. */
export type PanelName =
  | "rules"
  | "how"
  | "recall"
  | "buy-in"
  | "cash-out"
  | "settings"
  | "saved"
  | "more"
  | "statistics"
  | "limits";

/** The chips are a radio group: one tab stop, arrows to choose, digits from anywhere. */
function ChipRail({ terminal }: { terminal: Terminal }) {
  const chosen = terminal.chip.value;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const chips = terminal.chips.value;
    const next = (chips.indexOf(chosen) + step + chips.length) % chips.length;
    terminal.choose(next);
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=radio]")[next]?.focus();
  };
  return (
    <div class="chips" role="radiogroup" aria-label={t("chips")} onKeyDown={move}>
      {terminal.chips.value.map((amount, index) => (
        <button
          type="button"
          role="radio"
          aria-checked={amount === chosen}
          tabIndex={amount === chosen ? 0 : -1}
          aria-label={t("chip_of", { amount: terminal.spoken(amount) })}
          onClick={() => terminal.choose(index)}
        >
          <Chip {...terminal.chipOf(amount)} />
        </button>
      ))}
    </div>
  );
}

interface ActProps {
  readonly icon: IconName;
  readonly label: string;
  readonly run: () => void;
  readonly off?: boolean;
  readonly look?: string;
  readonly pressed?: boolean;
  readonly keys?: string;
}

export function Act({ icon, label, run, off = false, look = "", pressed, keys }: ActProps) {
  return (
    <button
      type="button"
      class={`act ${look}`}
      aria-disabled={off}
      onClick={() => !off && run()}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      {...(keys ? { "aria-keyshortcuts": keys } : {})}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

/** For how many the dice wait, and how long at the most. */
function waits(terminal: Terminal, { waits_for: n, rolls_at }: Readiness): string {
  const left = rolls_at === null ? null : Math.max(0, Math.floor(rolls_at / 1000) - terminal.now.value);
  return left === null ? t("roll_waits", { n }) : t("roll_waits_at_most", { n, seconds: left });
}

/** Where no clock runs and nobody deals, the player says when. Said for this connection and this slip alone. */
function RollAct({ terminal }: { terminal: Terminal }) {
  const round = terminal.round.value?.number ?? 0;
  const counted = terminal.readiness.value;
  const ready = counted?.round === round && counted.ready;
  const off = !terminal.takesBets.value || !terminal.staked.value || terminal.pending.value > 0;
  const label = ready && !off && counted.waits_for ? waits(terminal, counted) : t("roll_dice");
  const run = () => terminal.connection.send({ type: "Ready", id: freshId(), round, ready: !ready });
  return <Act icon="dice" label={label} look="gold roll" off={off} pressed={ready} run={run} />;
}

export function Dock({ terminal, panel }: { terminal: Terminal; panel: Signal<PanelName | null> }) {
  const shut = !terminal.takesBets.value;
  const slip = terminal.slip.value;
  const empty = !Object.keys(slip.wanted).length;
  const session = terminal.session.value;
  const cannotLeave =
    !terminal.online.value || terminal.device.service.value !== "in-service" || !session?.credit || session.staked > 0;
  return (
    <section class="dock" aria-label={t("your_hand")}>
      <ChipRail terminal={terminal} />
      <div class="acts" role="group" aria-label={t("slip_acts")}>
        {terminal.table.value?.untimed && <RollAct terminal={terminal} />}
        <Act
          icon="undo"
          label={t("undo")}
          keys="U"
          off={shut || !slip.undo.length}
          run={() => terminal.act({ do: "undo" })}
        />
        <Act icon="clear" label={t("clear")} keys="C" off={shut || empty} run={() => terminal.act({ do: "clear" })} />
        <Act
          icon="rebet"
          label={t("rebet")}
          keys="R"
          off={shut || !Object.keys(slip.previous).length}
          run={() => terminal.act({ do: "rebet" })}
        />
        <Act
          icon="double"
          label={t("double")}
          keys="D"
          off={shut || empty}
          run={() => terminal.act({ do: "double" })}
        />
        <Act icon="save" label={t("saved")} run={() => (panel.value = "saved")} look="wide-only" />
      </div>
      <div class="acts services" role="group" aria-label={t("services")}>
        <Act
          icon="cash"
          label={t("buy_in")}
          look="gold"
          off={!terminal.online.value}
          run={() => (panel.value = "buy-in")}
        />
        {!terminal.table.value?.practice && (
          <Act icon="ticket" label={t("cash_out")} off={cannotLeave} run={() => (panel.value = "cash-out")} />
        )}
        <Act
          icon="bell"
          label={t("attendant")}
          pressed={terminal.device.attendant.value}
          off={!terminal.online.value}
          run={terminal.device.callAttendant}
          look="wide-only"
        />
        <Act
          icon="easy"
          label={t("easy_mode")}
          pressed={easyMode.value}
          run={() => (easyMode.value = !easyMode.value)}
          look="wide-only"
        />
        <Act icon="menu" label={t("more")} look="narrow-only" run={() => (panel.value = "more")} />
      </div>
    </section>
  );
}
