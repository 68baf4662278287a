/** The round inspector: choose a round of a table, see it told again, and ask for what must be put right. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PitTableView, RoundPage, RoundResult, RoundTimeline } from "../../http.ts";
import { diceWords } from "../../lib/dice-words.ts";
import { type Key, named, t } from "../../lib/i18n.ts";
import type { FeltView } from "../../lib/types.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { feltOf, Inspector } from "../../ui/staff/inspector.tsx";
import { note, told } from "../../ui/staff/notice.tsx";
import { replayed } from "../../ui/staff/replay.ts";
import {
  CorrectBetsForm,
  CorrectResultForm,
  DamagedDiceForm,
  type Doing,
  RulingForm,
  setOf,
} from "../../ui/staff/round-acts.tsx";
import { actAt, ask, FLOOR, faultOf, isOneOf } from "../../ui/staff/session.ts";
import { askedRound, looks } from "./model.ts";

type Act = "CorrectResult" | "CorrectBets" | "ReportDamagedDice" | "MakeRuling";

interface Chosen {
  readonly act: Act;
  readonly round: RoundTimeline;
  readonly felt: FeltView;
}

/** A round in a line: its dice, or the faces that could be read, or where it stands. */
function roundLine(round: RoundResult): string {
  const stands = t(`state_${round.state.replaceAll("-", "_")}` as Key);
  const faces = round.known ? `${t("known_faces")} ${diceWords(round.known)}` : diceWords(round.dice ?? []);
  return [
    t("round_number", { n: round.round }),
    round.void ? t("state_void") : faces || stands,
    round.corrected ? t("corrected") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

export function Rounds({ one }: { one: PitTableView }) {
  const table = one.table.name;
  const rounds = useSignal<readonly RoundResult[]>([]);
  const newest = one.table.round?.number ?? 0;
  const latest = one.table.round && !one.table.round.dice ? Math.max(1, newest - 1) : newest;
  const number = useSignal(askedRound?.table === table ? Math.min(askedRound.round, newest) : latest);
  const typed = useSignal("");
  const chosen = useSignal<Chosen | null>(null);
  const again = useSignal(0);
  useEffect(() => {
    ask<RoundPage>("GET", `/tables/${encodeURIComponent(table)}/rounds?limit=30`).then(
      (page) => (rounds.value = page.items),
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, [table, newest]);
  const begin = async (act: Act) => {
    try {
      const round = await ask<RoundTimeline>("GET", `/tables/${encodeURIComponent(table)}/rounds/${number.value}`);
      chosen.value = { act, round, felt: await feltOf(round.pay_table) };
    } catch (problem) {
      note("refused", faultOf(problem));
    }
  };
  if (!newest) return <p>{t("not_opened_yet")}</p>;
  const inPlay = number.value === newest && !["concluded", "void"].includes(one.table.round?.phase ?? "");
  return (
    <>
      <form
        class="round-picker"
        onSubmit={(event) => {
          event.preventDefault();
          const asked = Number(typed.value);
          if (Number.isInteger(asked) && asked >= 1 && asked <= newest) number.value = asked;
        }}
      >
        <div class="field">
          <label for="pick-round">{t("which_round")}</label>
          <select
            id="pick-round"
            value={String(number.value)}
            onChange={(event) => (number.value = Number(event.currentTarget.value))}
          >
            {!rounds.value.some((round) => round.round === number.value) && (
              <option value={String(number.value)}>{t("round_number", { n: number.value })}</option>
            )}
            {rounds.value.map((round) => (
              <option value={String(round.round)}>{roundLine(round)}</option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="type-round">{t("round_by_number")}</label>
          <input
            id="type-round"
            inputMode="numeric"
            value={typed}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </div>
        <button type="submit" class="quiet tool">
          <Icon name="search" />
          <span>{t("look_up")}</span>
        </button>
      </form>
      <Inspector table={table} number={number.value} tick={inPlay ? looks.value : again.value} />
      {isOneOf(FLOOR) && (
        <div class="round-acts" role="group" aria-label={t("put_right")}>
          {(["CorrectResult", "CorrectBets", "ReportDamagedDice", "MakeRuling"] as const).map((act) => (
            <button type="button" class="quiet" onClick={() => void begin(act)}>
              {t(`act_${act}`)}
            </button>
          ))}
        </div>
      )}
      {chosen.value && (
        <RoundAct
          table={table}
          newest={newest}
          chosen={chosen.value}
          close={() => {
            chosen.value = null;
            again.value += 1;
          }}
        />
      )}
    </>
  );
}

function RoundAct({
  table,
  newest,
  chosen,
  close,
}: {
  table: string;
  newest: number;
  chosen: Chosen;
  close: () => void;
}) {
  const { act: kind, round, felt } = chosen;
  const act: Doing = (name, done, fields, of) => told(actAt(table, name, fields, of), done);
  const name = (box: string): string => named(felt.boxes.find((one) => one.id === box)?.names ?? { en: box });
  const { slips } = replayed(round.events, round.events.length);
  const bets = Object.entries(slips).flatMap(([player, slip]) =>
    Object.entries(slip).map(([box, stake]) => ({ player, box, stake })),
  );
  return (
    <Dialog
      name="round-act"
      title={`${t(`act_${kind}`)} · ${table} · ${t("round_number", { n: round.round })}`}
      close={close}
    >
      {kind === "CorrectResult" && (
        <CorrectResultForm act={act} close={close} rounds={[{ round: round.round, dice: round.dice }]} />
      )}
      {kind === "CorrectBets" && (
        <CorrectBetsForm act={act} close={close} round={round.round} boxes={felt.boxes} slips={slips} />
      )}
      {kind === "ReportDamagedDice" && (
        <DamagedDiceForm
          act={act}
          close={close}
          table={table}
          set={setOf(round.events)}
          from={round.round}
          last={newest}
        />
      )}
      {kind === "MakeRuling" && (
        <RulingForm
          act={act}
          close={close}
          round={round.round}
          bets={bets}
          waits={round.state === "awaiting-ruling"}
          boxName={name}
        />
      )}
    </Dialog>
  );
}
