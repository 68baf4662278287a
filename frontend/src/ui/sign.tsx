/** The table's sign: every limit in force, by kind and by box where they differ (3.3; ETG 3.3). */
import { type Key, type Language, language, named, t } from "../lib/i18n.ts";
import { currencyOf, money } from "../lib/money.ts";
import { pairName } from "../lib/pairs.ts";
import type { LimitView, SignLineView, TableView } from "../lib/types.ts";

/** What a box takes, in words. */
export function spanWords(table: TableView, { minimum, maximum }: LimitView, of = language.value): string {
  const say = (minor: number): string => money(minor, currencyOf(table), of);
  return maximum === null
    ? t("sign_from", { minimum: say(minimum) }, of)
    : t("sign_line", { minimum: say(minimum), maximum: say(maximum) }, of);
}

function lineWords(table: TableView, line: SignLineView): string {
  const total =
    line.total === null ? "" : ` · ${t("sign_total", { total: money(line.total, currencyOf(table), language.value) })}`;
  return spanWords(table, line) + total;
}

/** Every limit in force, each with what it is about. */
export function signLines(table: TableView): (readonly [name: string, words: string])[] {
  return [
    ...table.sign.map((line) => [named(line.names), lineWords(table, line)] as const),
    ...Object.entries(table.limits.differential).map(
      ([pair, limit]) => [pairName(pair), money(limit, currencyOf(table), language.value)] as const,
    ),
  ];
}

/** A rule that a page tells, with the clause that it is; what is no clause says that it is the house's own. */
export function ruleWords(table: TableView, rule: string, of = language.value): string {
  const clause = table.rules[rule] ?? "house";
  const source = clause === "house" ? t("house_procedure", {}, of) : t("clause", { clause }, of);
  return t("aside", { words: t(`rule_${rule}` as Key, {}, of), more: source }, of);
}

/** Every line of the sign; `second` is the other language of a wall. */
export function Sign({ table, second }: { table: TableView; second?: Language }) {
  const differentials = Object.entries(table.limits.differential);
  const also = (words: string | undefined) =>
    second && words ? (
      <span class="second" lang={second}>
        {words}
      </span>
    ) : null;
  return (
    <dl class="sign" aria-label={t("sign")}>
      {table.sign.map((line) => (
        <div key={line.names["en"]}>
          <dt>
            {named(line.names)} {also(second && line.names[second])}
          </dt>
          <dd>{lineWords(table, line)}</dd>
        </div>
      ))}
      {differentials.map(([pair, limit]) => (
        <div key={pair}>
          <dt>
            {pairName(pair)} {also(second && pairName(pair, second))}
          </dt>
          <dd>{money(limit, currencyOf(table), language.value)}</dd>
        </div>
      ))}
    </dl>
  );
}
