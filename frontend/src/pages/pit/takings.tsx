/** Drop, win and hold by table and shift, the sums of day, month and year, and what is counted for them. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Key, named, t } from "../../lib/i18n.ts";
import { Icon } from "../../ui/icon.tsx";
import { ActForm, amountIn, Choice, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { bandOf } from "../../ui/staff/figures.ts";
import { note, told } from "../../ui/staff/notice.tsx";
import { actInPit, ask, cash, faultOf, netCash } from "../../ui/staff/session.ts";
import { day, lookAgain, looks, tables } from "./model.ts";

/** A row of `/pit/hold`: amounts in minor units, none where nothing was counted. */
interface HoldRow {
  readonly day: string;
  readonly shift: string;
  readonly table: string;
  readonly drop_minor: number;
  readonly win_minor: number | null;
  readonly recorded_drop_minor: number | null;
  readonly recorded_win_minor: number | null;
  readonly handle_minor: number | null;
  readonly expected_win_minor: number | null;
  readonly win_variance: number | null;
}

const dropOf = (row: HoldRow): number => row.drop_minor || row.recorded_drop_minor || 0;
const winOf = (row: HoldRow): number => row.win_minor ?? row.recorded_win_minor ?? 0;

const percent = (win: number, of: number): string => (of ? `${((100 * win) / of).toFixed(1)} %` : "–");

/** Rows together. Counted money goes by drop; what theory speaks of goes by handle and the ledger's own win. */
function Line({ name, of }: { name: string; of: readonly HoldRow[] }) {
  const sum = (what: (row: HoldRow) => number): number => of.reduce((total, row) => total + what(row), 0);
  const [handle, drop, win, won] = [
    sum((row) => row.handle_minor ?? 0),
    sum(dropOf),
    sum(winOf),
    sum((row) => row.recorded_win_minor ?? 0),
  ];
  const played = of.filter((row) => row.handle_minor);
  const band = played.every((row) => row.win_variance !== null)
    ? bandOf(
        handle,
        sum((row) => row.expected_win_minor ?? 0),
        sum((row) => row.win_variance ?? 0),
      )
    : null;
  const outside = band !== null && (100 * won < band[0] * handle || 100 * won > band[1] * handle);
  return (
    <tr data-outside={outside}>
      <th scope="row">{name}</th>
      <td>{cash(handle)}</td>
      <td>{cash(drop)}</td>
      <td data-sign={Math.sign(win)}>{netCash(win)}</td>
      <td>{percent(win, drop)}</td>
      <td>
        {percent(won, handle)}
        {band && <small>{t("band_of", { low: band[0].toFixed(1), high: band[1].toFixed(1) })}</small>}
        {outside && (
          <strong class="outside">
            <Icon name="alarm" />
            {t("outside_band")}
          </strong>
        )}
      </td>
    </tr>
  );
}

export function Takings() {
  const rows = useSignal<readonly HoldRow[]>([]);
  useEffect(() => {
    ask<readonly HoldRow[]>("GET", "/pit/hold").then(
      (found) => (rows.value = found),
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, [looks.value]);
  const today =
    day.value?.day ??
    rows.value
      .map((row) => row.day)
      .sort()
      .at(-1) ??
    "";
  if (!rows.value.length) return <p class="small">{t("takings_none")}</p>;
  const since = (length: number) => rows.value.filter((row) => row.day.slice(0, length) === today.slice(0, length));
  return (
    <div class="scrolls" tabIndex={0} role="group" aria-label={t("takings")}>
      <table class="takings-table">
        <caption>{t("takings")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("shift")}</th>
            <th scope="col">{t("handle")}</th>
            <th scope="col">{t("drop")}</th>
            <th scope="col">{t("win")}</th>
            <th scope="col">{t("hold_on_drop")}</th>
            <th scope="col">{t("hold_on_handle")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.value
            .filter((row) => row.day === today)
            .map((row) => (
              <Line name={`${row.shift} · ${row.table}`} of={[row]} />
            ))}
        </tbody>
        <tfoot>
          <Line name={`${t("sum_day")} ${today}`} of={since(10)} />
          <Line name={`${t("sum_month")} ${today.slice(0, 7)}`} of={since(7)} />
          <Line name={`${t("sum_year")} ${today.slice(0, 4)}`} of={since(4)} />
        </tfoot>
      </table>
    </div>
  );
}

const ACTS = ["FillTable", "CreditTable", "CountFloat", "TakeDrop", "CountDrop"] as const;
type Act = (typeof ACTS)[number];

/** Chips to and from a table, its float and its drop box; all but taking a box away needs two people. */
export function Counting() {
  const [act, table, box, amount] = [
    useSignal<Act>("FillTable"),
    useSignal(tables.value[0]?.table.name ?? ""),
    useSignal(""),
    useSignal(""),
  ];
  const when = useSignal<"opening" | "closing">("opening");
  const boxes = act.value === "TakeDrop" || act.value === "CountDrop";
  const money = act.value !== "TakeDrop";
  const ready = (!money || amountIn(amount) !== null) && (!boxes || box.value.trim() !== "");
  const run = async () => {
    const sum = amountIn(amount) ?? 0;
    const fields = {
      FillTable: { table: table.value, amount: sum },
      CreditTable: { table: table.value, amount: sum },
      CountFloat: { table: table.value, when: when.value, counted: sum },
      TakeDrop: { table: table.value, box: box.value.trim() },
      CountDrop: { box: box.value.trim(), counted: sum },
    }[act.value];
    if (!(await told(actInPit(act.value, fields), t("recorded")))) return;
    amount.value = "";
    await lookAgain();
  };
  return (
    <details class="counting">
      <summary>{t("counting")}</summary>
      <ActForm submit={t(act.value === "TakeDrop" ? "record_it" : "ask_second")} ready={ready} run={run}>
        <Choice
          label={t("count_act")}
          of={act}
          options={ACTS.map((value) => ({ value, text: t(`act_${value}` as Key) }))}
        />
        {act.value !== "CountDrop" && (
          <label class="field">
            {t("tables")}
            <select value={table} onChange={(event) => (table.value = event.currentTarget.value)}>
              {tables.value.map((one) => (
                <option value={one.table.name}>
                  {one.table.name} · {named(one.table.titles)}
                </option>
              ))}
            </select>
          </label>
        )}
        {act.value === "CountFloat" && (
          <Choice
            label={t("count_when")}
            of={when}
            options={[
              { value: "opening", text: t("count_opening") },
              { value: "closing", text: t("count_closing") },
            ]}
          />
        )}
        {boxes && <TextField label={t("drop_box")} of={box} />}
        {money && <MoneyField label={t(act.value.startsWith("Count") ? "counted" : "amount")} of={amount} />}
      </ActForm>
    </details>
  );
}
