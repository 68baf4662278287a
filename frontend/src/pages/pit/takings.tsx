/** Drop, win and hold by table and shift, the sums of day, month and year, and what is counted for them. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TakingsLine } from "../../http.ts";
import { type Key, named, t } from "../../lib/i18n.ts";
import { Icon } from "../../ui/icon.tsx";
import { ActForm, amountIn, Choice, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { percent } from "../../ui/staff/figures.ts";
import { note, told } from "../../ui/staff/notice.tsx";
import { actInPit, ask, cash, faultOf, netCash } from "../../ui/staff/session.ts";
import { lookAgain, looks, tables } from "./model.ts";

const share = (of: number | null): string => (of === null ? "–" : `${percent(of)}%`);

function Line({ of }: { of: TakingsLine }) {
  const name = of.span === "shift" ? `${of.of} · ${of.table}` : `${t(`sum_${of.span}`)} ${of.of}`;
  return (
    <tr data-outside={of.outside}>
      <th scope="row">{name}</th>
      <td>{cash(of.handle)}</td>
      <td>{cash(of.drop)}</td>
      <td data-sign={Math.sign(of.win)}>{netCash(of.win)}</td>
      <td>{share(of.hold_on_drop)}</td>
      <td>
        {share(of.hold_on_handle)}
        {of.band && <small>{t("band_of", { low: percent(of.band[0]), high: percent(of.band[1]) })}</small>}
        {of.outside && (
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
  const rows = useSignal<readonly TakingsLine[]>([]);
  useEffect(() => {
    ask<readonly TakingsLine[]>("GET", "/pit/takings").then(
      (found) => (rows.value = found),
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, [looks.value]);
  if (!rows.value.length) return <p class="small">{t("takings_none")}</p>;
  const [shifts, sums] = [true, false].map((is) => rows.value.filter((row) => (row.span === "shift") === is));
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
          {shifts!.map((row) => (
            <Line of={row} />
          ))}
        </tbody>
        <tfoot>
          {sums!.map((row) => (
            <Line of={row} />
          ))}
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
            {t("at_table")}
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
