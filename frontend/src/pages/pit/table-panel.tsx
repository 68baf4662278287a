/** Everything about one table: exposure outcome by outcome, hold, the dice and who deals. */
import { useSignal } from "@preact/signals";
import type { EnrolmentCode, PitTableView } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ActForm, Choice, TextField } from "../../ui/staff/fields.tsx";
import { note, told } from "../../ui/staff/notice.tsx";
import { chance, evidence } from "../../ui/staff/numbers.ts";
import { DamagedDiceForm, type Doing } from "../../ui/staff/round-acts.tsx";
import {
  type ActAnswer,
  actAt,
  actInPit,
  ask,
  cash,
  faultOf,
  isOneOf,
  netCash,
  SUPERVISORS,
} from "../../ui/staff/session.ts";
import { Fairness, HoldFlags, HoldGauge } from "./card.tsx";
import { ExposureBars, ExposureTable, worstWords } from "./exposure.tsx";
import { day, lookAgain } from "./model.ts";
import { Counting, Takings } from "./takings.tsx";

export function TablePanel({ one }: { one: PitTableView }) {
  const { exposure, fairness, table } = one;
  return (
    <div class="table-panel">
      <section>
        <h3>{t("exposure")}</h3>
        <p data-sign={Math.sign(exposure.worst)}>{worstWords(one)}</p>
        <dl class="pairs">
          <dt>{t("var95")}</dt>
          <dd>{cash(Math.max(0, exposure.var95))}</dd>
          <dt>{t("bets_on_felt")}</dt>
          <dd>{cash(one.staked)}</dd>
        </dl>
        <ExposureBars exposure={exposure} />
        {one.staked > 0 && <p class="small">{t("bars_hint")}</p>}
        {one.staked > 0 && <ExposureTable exposure={exposure} count={10} />}
      </section>
      <section>
        <h3>{t("hold")}</h3>
        <dl class="pairs">
          <dt>{t("handle")}</dt>
          <dd>{cash(one.handle)}</dd>
          <dt>{t("win")}</dt>
          <dd data-sign={Math.sign(one.win)}>{netCash(one.win)}</dd>
          <dt>{t("win_expected")}</dt>
          <dd>{netCash(Math.round(one.theoretical_win))}</dd>
          <dt>{t("rounds_played")}</dt>
          <dd>{one.rounds}</dd>
        </dl>
        <HoldGauge one={one} />
        <HoldFlags one={one} />
        {one.band && <p class="small">{t("hold_hint")}</p>}
        <h3>{t("dice_monitor")}</h3>
        <dl class="pairs">
          <dt>{t("dice_set")}</dt>
          <dd>{one.dice_set ?? "–"}</dd>
          <dt>{t("rolls_seen")}</dt>
          <dd>{fairness.rolls}</dd>
          <dt>{t("e_value")}</dt>
          <dd>{evidence(fairness.e_value)}</dd>
          <dt>{t("p_value")}</dt>
          <dd>{chance(fairness.p_value)}</dd>
        </dl>
        <Fairness one={one} />
        <p class="small">{t("dice_monitor_hint")}</p>
        {isOneOf(SUPERVISORS) && <DiceSet table={table.name} set={one.dice_set} newest={table.round?.number ?? 0} />}
        {isOneOf(SUPERVISORS) && <Shaker table={table.name} />}
        {isOneOf(SUPERVISORS) && table.kind === "cluster" && <Enrol table={table.name} />}
        {isOneOf(SUPERVISORS) && <Seat table={table.name} dealer={one.dealer} />}
        {isOneOf(SUPERVISORS) && <CloseOrReopen table={table.name} closed={table.closed} />}
      </section>
    </div>
  );
}

type Why = "rotation" | "damaged" | "inspection" | "end-of-day";
const WHYS: readonly Why[] = ["rotation", "inspection", "damaged", "end-of-day"];

/** The set in the tumbler: in, looked at, out. */
function DiceSet({ table, set, newest }: { table: string; set: string | null; newest: number }) {
  const [name, why] = [useSignal(""), useSignal<Why>("rotation")];
  const damaged = useSignal(false);
  const report: Doing = (kind, done, fields, of) => told(actAt(table, kind, fields, of), done);
  const act = async (kind: string, fields: object) => {
    if (await told(actInPit(kind, { table, ...fields }), t("recorded"))) await lookAgain();
  };
  if (!set) {
    return (
      <ActForm
        submit={t("dice_put_in")}
        ready={name.value.trim() !== ""}
        run={() => act("PutInDice", { dice_set: name.value.trim() })}
      >
        <TextField label={t("dice_set")} of={name} />
      </ActForm>
    );
  }
  return (
    <>
      <ActForm submit={t("dice_take_out")} ready run={() => act("TakeOutDice", { dice_set: set, why: why.value })}>
        <Choice
          label={t("dice_why_out")}
          of={why}
          options={WHYS.map((value) => ({ value, text: t(`why_${value === "end-of-day" ? "end_of_day" : value}`) }))}
        />
        <Inspected label={t("inspect_dice")} run={(found) => act("InspectDice", { dice_set: set, ...found })} />
      </ActForm>
      {newest > 0 && (
        <button type="button" class="quiet" onClick={() => (damaged.value = true)}>
          {t("dice_damaged", { set })}
        </button>
      )}
      {damaged.value && (
        <Dialog name="damaged" title={t("act_ReportDamagedDice")} close={() => (damaged.value = false)}>
          <DamagedDiceForm
            act={report}
            close={() => (damaged.value = false)}
            table={table}
            set={set}
            from={newest}
            last={newest}
          />
        </Dialog>
      )}
    </>
  );
}

/** The tumbler's daily look: without one that it passed no round begins, where the house asks for it. */
function Shaker({ table }: { table: string }) {
  const passed = day.value?.tables.find((one) => one.table === table)?.shaker_passed ?? null;
  const run = async (found: object) => {
    if (await told(actInPit("InspectShaker", { table, ...found }), t("recorded"))) await lookAgain();
  };
  return (
    <>
      <p class="small">
        {t("told_of", {
          what: t("inspect_shaker"),
          more: t(passed === null ? "inspected_not" : passed ? "inspected_passed" : "inspected_failed"),
        })}
      </p>
      <Inspected label={t("inspect_shaker")} run={run} />
    </>
  );
}

/** What was found when something was looked at. */
function Inspected({
  label,
  run,
}: {
  label: string;
  run: (found: { passed: boolean; note: string }) => Promise<void>;
}) {
  const remark = useSignal("");
  const found = (passed: boolean) => void run({ passed, note: remark.value.trim() }).then(() => (remark.value = ""));
  return (
    <div role="group" class="act-form" aria-label={label}>
      <TextField label={t("inspect_note", { what: label })} of={remark} />
      <div class="choice">
        <button type="button" class="quiet danger-line" onClick={() => found(false)}>
          {t("inspected_failed")}
        </button>
        <button type="button" class="quiet" onClick={() => found(true)}>
          {t("inspected_passed")}
        </button>
      </div>
    </div>
  );
}

/** A place for another terminal: the code is typed on the machine. */
function Enrol({ table }: { table: string }) {
  const code = useSignal<EnrolmentCode | null>(null);
  const make = async () => {
    try {
      code.value = await ask<EnrolmentCode>("POST", "/terminals", { table, label: "" });
    } catch (problem) {
      note("refused", faultOf(problem));
    }
  };
  return (
    <div class="enrol-code">
      <button type="button" class="quiet" onClick={() => void make()}>
        {t("terminal_new")}
      </button>
      {code.value && (
        <p>
          <b>{code.value.code}</b>{" "}
          <small>{t("terminal_code", { terminal: code.value.terminal, minutes: code.value.minutes })}</small>
        </p>
      )}
    </div>
  );
}

function Seat({ table, dealer }: { table: string; dealer: string | null }) {
  const to = useSignal("");
  const run = async () => {
    if (
      await told(
        ask<ActAnswer>("POST", `/tables/${encodeURIComponent(table)}/dealer`, { name: to.value.trim() || null }),
        t("recorded"),
      )
    )
      await lookAgain();
  };
  return (
    <ActForm submit={t("dealer_seat")} ready={(to.value.trim() || null) !== dealer} run={run}>
      <TextField label={t("dealer_next")} of={to} />
    </ActForm>
  );
}

/** A closed table finishes its round and begins no other. */
function CloseOrReopen({ table, closed }: { table: string; closed: boolean }) {
  const act = closed ? "ReopenTable" : "CloseTable";
  const run = async () => {
    if (await told(ask<ActAnswer>("POST", `/tables/${encodeURIComponent(table)}/acts`, { act }), t("recorded")))
      await lookAgain();
  };
  return (
    <button type="button" class="quiet" onClick={() => void run()}>
      {t(`act_${act}`)}
    </button>
  );
}

/** The gaming day, its shift, and what is still to be counted. */
export function Day() {
  const now = day.value;
  const shift = useSignal("");
  const act = async (kind: string, fields: object = {}) => {
    if (await told(actInPit(kind, fields), t("recorded"))) await lookAgain();
  };
  if (!now) return <p class="small">{t("loading")}</p>;
  const manages = isOneOf(["shift-manager", "casino-manager"]);
  return (
    <>
      <dl class="pairs">
        <dt>{t("gaming_day")}</dt>
        <dd>{now.day ?? t("day_none")}</dd>
        <dt>{t("shift")}</dt>
        <dd>{now.shift ?? "–"}</dd>
        {now.uncounted.length > 0 && (
          <>
            <dt>{t("uncounted")}</dt>
            <dd>{now.uncounted.join(", ")}</dd>
          </>
        )}
        {now.failed_dice.length > 0 && (
          <>
            <dt>{t("failed_dice")}</dt>
            <dd>{now.failed_dice.join(", ")}</dd>
          </>
        )}
      </dl>
      {manages && !now.day && (
        <button type="button" class="quiet" onClick={() => void act("OpenDay", { day: now.today })}>
          {t("day_open")}
        </button>
      )}
      {isOneOf(["pit-manager", "shift-manager", "casino-manager"]) && now.day && (
        <ActForm
          submit={t("shift_start")}
          ready={shift.value.trim() !== ""}
          run={() => act("StartShift", { shift: shift.value.trim() })}
        >
          <TextField label={t("shift_next")} of={shift} />
        </ActForm>
      )}
      {manages && now.day && (
        <button type="button" class="quiet" onClick={() => void act("CloseDay")}>
          {t("day_close")}
        </button>
      )}
      <Takings />
      {now.day && isOneOf(SUPERVISORS) && <Counting />}
    </>
  );
}
