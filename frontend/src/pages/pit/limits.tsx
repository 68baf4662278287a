/** Other limits for a table: asked for here, approved by somebody else, in force with the next round. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Limit, TableSettings } from "../../http.ts";
import { named, t } from "../../lib/i18n.ts";
import { pairName } from "../../lib/pairs.ts";
import type { FeltView } from "../../lib/types.ts";
import { ActForm, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { feltOf } from "../../ui/staff/inspector.tsx";
import { readMoney, typedMoney } from "../../ui/staff/money-entry.ts";
import { told } from "../../ui/staff/notice.tsx";
import { type ActAnswer, ask, currency, faultOf } from "../../ui/staff/session.ts";

type Texts = Signal<Readonly<Record<string, string>>>;

interface Draft {
  readonly settings: TableSettings;
  readonly felt: FeltView;
}

const typed = (minor: number | null): string => (minor === null ? "" : typedMoney(minor, currency.value.exponent));
const read = (text: string): number | null => (text.trim() ? readMoney(text, currency.value.exponent) : null);
const wrong = (text: string): boolean => text.trim() !== "" && read(text) === null;

async function load(table: string): Promise<Draft> {
  const settings = await ask<TableSettings>("GET", `/tables/${encodeURIComponent(table)}/settings`);
  return { settings, felt: await feltOf(settings.pay_table) };
}

export function LimitsForm({ table, close }: { table: string; close: () => void }) {
  const draft = useSignal<Draft | null>(null);
  const fault = useSignal("");
  useEffect(() => {
    load(table).then(
      (found) => (draft.value = found),
      (problem: unknown) => (fault.value = faultOf(problem)),
    );
  }, [table]);
  if (fault.value)
    return (
      <p class="fault" role="alert">
        {fault}
      </p>
    );
  return draft.value ? <Filled table={table} draft={draft.value} close={close} /> : <p>{t("loading")}</p>;
}

/** The groups of boxes at one price, named by their boxes. */
function groupsOf(felt: FeltView): { id: string; name: string }[] {
  const groups = new Map<string, string[]>();
  for (const box of felt.boxes) groups.set(box.group, [...(groups.get(box.group) ?? []), named(box.names)]);
  return [...groups].map(([id, names]) => ({
    id,
    name: names.length > 2 ? `${names[0]} … ${names.at(-1)}` : names.join(t("list_comma")),
  }));
}

function limitFrom(texts: Readonly<Record<string, string>>, id: string, fallback: Limit): Limit | null {
  const [least, most] = [texts[`${id}.min`] ?? "", texts[`${id}.max`] ?? ""];
  if (!least.trim() && !most.trim()) return null;
  return { minimum: read(least) ?? fallback.minimum, maximum: read(most) ?? fallback.maximum };
}

function Filled({ table, draft, close }: { table: string; draft: Draft; close: () => void }) {
  const { settings, felt } = draft;
  const { limits, timing } = settings;
  const [unit, least, most] = [
    useSignal(typed(limits.unit)),
    useSignal(typed(limits.default.minimum)),
    useSignal(typed(limits.default.maximum)),
  ];
  const [time, reason] = [
    useSignal(timing.betting_seconds === null ? "" : String(timing.betting_seconds)),
    useSignal(""),
  ];
  const pairs: Texts = useSignal(
    Object.fromEntries(Object.entries(limits.differential).map(([pair, limit]) => [pair, typed(limit)])),
  );
  const groups: Texts = useSignal(
    Object.fromEntries(
      Object.entries(limits.groups).flatMap(([id, one]) => [
        [`${id}.min`, typed(one.minimum)],
        [`${id}.max`, typed(one.maximum)],
      ]),
    ),
  );
  const fallback: Limit = { minimum: read(least.value) ?? 0, maximum: read(most.value) };
  const seconds = time.value.trim() ? Number(time.value) : null;
  const faulty = [
    unit.value,
    least.value,
    most.value,
    ...Object.values(pairs.value),
    ...Object.values(groups.value),
  ].some(wrong);
  const ready =
    !faulty &&
    read(unit.value) !== null &&
    read(least.value) !== null &&
    reason.value.trim() !== "" &&
    (seconds === null || (Number.isInteger(seconds) && seconds > 0));
  const run = async () => {
    const ids = [...new Set(Object.keys(groups.value).map((key) => key.replace(/\.(min|max)$/, "")))];
    const own = ids
      .map((id) => [id, limitFrom(groups.value, id, fallback)] as const)
      .filter((entry): entry is readonly [string, Limit] => entry[1] !== null);
    const body: TableSettings = {
      ...settings,
      limits: {
        ...limits,
        unit: read(unit.value)!,
        default: fallback,
        differential: Object.fromEntries(
          Object.entries(pairs.value)
            .map(([pair, text]) => [pair, read(text)] as const)
            .filter((entry): entry is readonly [string, number] => entry[1] !== null),
        ),
        groups: Object.fromEntries(own),
      },
      timing: { ...timing, betting_seconds: seconds },
    };
    if (
      await told(
        ask<ActAnswer>("POST", `/tables/${encodeURIComponent(table)}/settings`, {
          settings: body,
          reason: reason.value.trim(),
        }),
        t("recorded"),
      )
    )
      close();
  };
  const set = (texts: Texts, key: string) => (event: Event) =>
    (texts.value = { ...texts.value, [key]: (event.currentTarget as HTMLInputElement).value });
  return (
    <ActForm submit={t("ask_second")} ready={ready} cancel={close} run={run}>
      <p>{t("limits_text")}</p>
      <div class="two-fields">
        <MoneyField label={t("minimum")} of={least} />
        <MoneyField label={t("maximum")} of={most} optional />
        <MoneyField label={t("chip_unit")} of={unit} />
        <TextField label={t("betting_seconds")} of={time} hint={t("betting_seconds_hint")} />
        {Object.keys(pairs.value).map((pair) => (
          <div class="field">
            <label for={`pair-${pair}`}>{pairName(pair)}</label>
            <input
              id={`pair-${pair}`}
              inputMode="decimal"
              value={pairs.value[pair] ?? ""}
              aria-invalid={wrong(pairs.value[pair] ?? "")}
              onInput={set(pairs, pair)}
            />
          </div>
        ))}
      </div>
      <details>
        <summary>{t("limits_by_group")}</summary>
        <div class="group-limits">
          {groupsOf(felt).map(({ id, name }) => (
            <fieldset>
              <legend>{name}</legend>
              {(["min", "max"] as const).map((end) => (
                <input
                  inputMode="decimal"
                  aria-label={t("told_of", { what: name, more: t(end === "min" ? "minimum" : "maximum") })}
                  placeholder={end === "min" ? least.value : most.value || "∞"}
                  value={groups.value[`${id}.${end}`] ?? ""}
                  aria-invalid={wrong(groups.value[`${id}.${end}`] ?? "")}
                  onInput={set(groups, `${id}.${end}`)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      </details>
      <TextField label={t("reason")} of={reason} required />
      <p class="two-people">{t("takes_two")}</p>
    </ActForm>
  );
}
