/** Another rulebook or pay table for a table: asked for here, approved by somebody else, at a set time if wished. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import type { OfferedRules, OfferedTable, TableRules, TableSettings } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { pairName } from "../../lib/pairs.ts";
import { FrontPage } from "../../ui/front-page.tsx";
import { moment, standWords } from "../../ui/rules-note.tsx";
import { ActForm, amountIn, Choice, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { typedMoney } from "../../ui/staff/money-entry.ts";
import { told } from "../../ui/staff/notice.tsx";
import { type ActAnswer, actAt, ask, currency, faultOf } from "../../ui/staff/session.ts";
import { lookAgain } from "./model.ts";

type When = "now" | "later";

const typed = (minor: number | null): string => (minor === null ? "" : typedMoney(minor, currency.value.exponent));
const rounded = (minor: number, unit: number): number => Math.ceil(minor / unit) * unit;

export function RulesForm({ table, close }: { table: string; close: () => void }) {
  const rules = useSignal<TableRules | null>(null);
  const fault = useSignal("");
  const load = () =>
    ask<TableRules>("GET", `/tables/${encodeURIComponent(table)}/rules`).then(
      (found) => (rules.value = found),
      (problem: unknown) => (fault.value = faultOf(problem)),
    );
  useEffect(() => void load(), [table]);
  if (fault.value)
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    );
  return rules.value ? <Filled key={table} table={table} rules={rules.value} close={close} /> : <p>{t("loading")}</p>;
}

interface Found {
  readonly book: OfferedRules;
  readonly table: OfferedTable;
}

function offeredIn(rules: TableRules, payTable: string): Found | null {
  for (const book of rules.offered)
    for (const table of book.pay_tables) if (table.id === payTable) return { book, table };
  return null;
}

/** The settings that a pay table begins with: those that the house names for it, else as many as fit of today's. */
function begun(rules: TableRules, payTable: string): TableSettings {
  if (rules.named?.pay_table === payTable) return rules.named;
  const { settings } = rules;
  const found = offeredIn(rules, payTable);
  if (!found || payTable === settings.pay_table) return settings;
  const { limits } = settings;
  const unit = rounded(limits.unit, found.table.unit);
  const { minimum, maximum } = limits.default;
  return {
    ...settings,
    pay_table: payTable,
    limits: {
      ...limits,
      unit,
      default: { minimum: rounded(minimum, unit), maximum: maximum === null ? null : rounded(maximum, unit) },
      groups: {},
      boxes: {},
      box_totals: {},
      differential: Object.fromEntries(
        Object.entries(limits.differential).filter(([pair]) => found.table.pairs.includes(pair)),
      ),
      notice: (found.book.notice.includes(limits.notice)
        ? limits.notice
        : found.book.notice[0]) as typeof limits.notice,
    },
  };
}

interface Fields {
  readonly unit: string;
  readonly least: string;
  readonly most: string;
  readonly differential: Readonly<Record<string, string>>;
}

/** What stands in the fields when a pay table is chosen. */
function fieldsOf(rules: TableRules, payTable: string): Fields {
  const { limits } = begun(rules, payTable);
  return {
    unit: typed(limits.unit),
    least: typed(limits.default.minimum),
    most: typed(limits.default.maximum),
    differential: Object.fromEntries(Object.entries(limits.differential).map(([pair, limit]) => [pair, typed(limit)])),
  };
}

function Filled({ table, rules, close }: { table: string; rules: TableRules; close: () => void }) {
  const { settings, planned, named } = rules;
  const now = offeredIn(rules, settings.pay_table);
  const chosen = useSignal(settings.pay_table);
  const base = begun(rules, chosen.value);
  // Filled before it is seen: a field that an effect fills later would take back what somebody has chosen by then.
  const first = useMemo(() => fieldsOf(rules, settings.pay_table), []);
  const [unit, least, most] = [useSignal(first.unit), useSignal(first.least), useSignal(first.most)];
  const differential = useSignal(first.differential);
  const fill = (payTable: string) => {
    const fields = fieldsOf(rules, payTable);
    chosen.value = payTable;
    unit.value = fields.unit;
    least.value = fields.least;
    most.value = fields.most;
    differential.value = fields.differential;
  };
  const [when, time, reason] = [useSignal<When>("now"), useSignal(""), useSignal("")];
  const pairs = offeredIn(rules, chosen.value)?.table.pairs ?? [];
  const effective = when.value === "later" ? Date.parse(time.value) : null;
  const ready =
    chosen.value !== settings.pay_table &&
    amountIn(unit) !== null &&
    amountIn(least) !== null &&
    (effective === null || !Number.isNaN(effective)) &&
    reason.value.trim() !== "";
  const run = async () => {
    const limits = {
      ...base.limits,
      unit: amountIn(unit)!,
      default: { minimum: amountIn(least)!, maximum: amountIn(most) },
      differential: Object.fromEntries(
        pairs
          .map((pair) => [pair, amountIn({ value: differential.value[pair] ?? "" } as Signal<string>)] as const)
          .filter((entry): entry is readonly [string, number] => entry[1] !== null),
      ),
    };
    const body = { settings: { ...base, limits }, reason: reason.value.trim(), effective };
    if (!(await told(ask<ActAnswer>("POST", `/tables/${encodeURIComponent(table)}/settings`, body), t("recorded"))))
      return;
    close();
    await lookAgain();
  };
  return (
    <>
      <p>
        {t("rules_now")} <b>{settings.pay_table}</b>
      </p>
      {now && <FrontPage rulebook={now.book.rulebook} page={now.book.front_page} />}
      {planned && <Planned table={table} planned={planned} close={close} />}
      {named && (
        <div class="named-rules">
          <p>{t("rules_named", { rules: named.pay_table, plays: settings.pay_table })}</p>
          <button type="button" class="quiet" onClick={() => fill(named.pay_table)}>
            {t("rules_named_take", { rules: named.pay_table })}
          </button>
        </div>
      )}
      <ActForm submit={t("ask_second")} ready={ready} cancel={close} run={run}>
        <p>{t("rules_text")}</p>
        <PayTables rules={rules} chosen={chosen.value} choose={fill} />
        <Choice
          label={t("rules_when")}
          of={when}
          options={[
            { value: "now", text: t("rules_at_once") },
            { value: "later", text: t("rules_at_time") },
          ]}
        />
        {when.value === "later" && <TimeField label={t("rules_time")} of={time} />}
        <div class="two-fields">
          <MoneyField label={t("minimum")} of={least} />
          <MoneyField label={t("maximum")} of={most} optional />
          <MoneyField label={t("chip_unit")} of={unit} />
          {pairs.map((pair) => (
            <PairField key={pair} pair={pair} of={differential} />
          ))}
        </div>
        <TextField label={t("reason")} of={reason} required />
        <p class="two-people">{t("takes_two")}</p>
      </ActForm>
    </>
  );
}

interface PayTablesProps {
  readonly rules: TableRules;
  readonly chosen: string;
  readonly choose: (payTable: string) => void;
}

function PayTables({ rules, chosen, choose }: PayTablesProps) {
  const id = useId();
  const found = offeredIn(rules, chosen);
  return (
    <div class="field">
      <label for={id}>{t("rules_choose")}</label>
      <select id={id} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {rules.offered.map((book) => (
          <optgroup label={`${book.title} · ${book.version}`}>
            {book.pay_tables.map((one) => (
              <option value={one.id}>
                {[one.id, standWords(book.front_page.in_force, "").replace(/^[:：]\s*/, "")]
                  .filter(Boolean)
                  .join(" · ")}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {found && <FrontPage rulebook={found.book.rulebook} page={found.book.front_page} />}
    </div>
  );
}

function TimeField({ label, of }: { label: string; of: Signal<string> }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        required
        value={of}
        onInput={(event) => (of.value = event.currentTarget.value)}
      />
    </div>
  );
}

function PairField({ pair, of }: { pair: string; of: Signal<Readonly<Record<string, string>>> }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{pairName(pair)}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        value={of.value[pair] ?? ""}
        onInput={(event) => (of.value = { ...of.value, [pair]: event.currentTarget.value })}
      />
    </div>
  );
}

/** A change that two people agreed to and that waits; taking it back takes two, too. */
function Planned({
  table,
  planned,
  close,
}: {
  table: string;
  planned: NonNullable<TableRules["planned"]>;
  close: () => void;
}) {
  const reason = useSignal("");
  const run = async () => {
    const fields = { reason: reason.value.trim() };
    if (await told(actAt(table, "CancelChange", fields), t("recorded"))) close();
  };
  return (
    <section class="planned-rules">
      <p>
        {t("rules_planned", {
          rules: planned.settings.pay_table,
          time: moment(planned.effective),
          by: planned.by,
          second: planned.second ?? "–",
          reason: planned.reason,
        })}
      </p>
      <details>
        <summary>{t("act_CancelChange")}</summary>
        <ActForm submit={t("ask_second")} ready={reason.value.trim() !== ""} run={run}>
          <TextField label={t("reason")} of={reason} required />
        </ActForm>
      </details>
    </section>
  );
}
