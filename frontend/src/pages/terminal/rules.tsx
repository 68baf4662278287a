/** Rules and odds, before any bet: every price and what comes back of it, and the clauses themselves. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { call } from "../../lib/api.ts";
import { named, t } from "../../lib/i18n.ts";
import { helpLine } from "../../lib/page.ts";
import { hasParity } from "../../lib/phase.ts";
import type { BoxView } from "../../lib/types.ts";
import { Face, kindKey, oddsText } from "../../ui/face.tsx";
import { FrontPage, type FrontPageFacts } from "../../ui/front-page.tsx";
import { ruleWords, Sign, spanWords } from "../../ui/sign.tsx";
import type { Terminal } from "./model.ts";

interface RulesView {
  readonly id: string;
  readonly front_page: FrontPageFacts;
  readonly title: string;
  readonly version: string;
  readonly clauses: readonly { readonly number: string; readonly text: string; readonly heading: boolean }[];
}

/** From the plainest bet to the rarest. */
const KINDS = "small big odd even single sum domino double any-triple triple four trio pair".split(" ");

/** What is explained in a line each. */
const HELP = ["undo", "clear", "rebet", "double", "saved", "attendant", "easy_mode", "chip_signs"] as const;

/** Boxes of a group share their odds: one line for all of them. */
export function groupsOf(boxes: readonly BoxView[]): BoxView[][] {
  const groups = new Map<string, BoxView[]>();
  for (const box of boxes) groups.set(box.group, [...(groups.get(box.group) ?? []), box]);
  const place = (boxes: readonly BoxView[]): number => KINDS.indexOf(boxes[0]!.kind);
  return [...groups.values()].sort((a, b) => place(a) - place(b));
}

export function groupName(boxes: readonly BoxView[]): string {
  const names = boxes.map((box) => named(box.names));
  return names.length <= 2
    ? names.join(t("list_comma"))
    : t("group_of", { name: t(kindKey(boxes[0]!.kind)), n: names.length });
}

/** Rulebooks number their pay tables; one with a name of its own keeps it. */
const payTableName = (title: string): string => {
  const number = /^Pay Table (\d+)$/.exec(title)?.[1];
  return number ? t("pay_table_number", { n: number }) : title;
};

export function RulesPanel({ terminal }: { terminal: Terminal }) {
  const rules = useSignal<RulesView | null>(null);
  const help = helpLine();
  const [felt, table] = [terminal.felt.value, terminal.table.value];
  useEffect(() => {
    if (!table) return;
    call<RulesView>("GET", `/rules/${table.rulebook}`).then(
      (found) => (rules.value = found),
      () => undefined, // the odds and the short rules stand without it
    );
  }, [table?.rulebook]);
  if (!felt || !table) return null;
  const groups = groupsOf(felt.boxes).map((boxes) => ({
    boxes,
    limits: spanWords(table, terminal.limitOf(boxes[0]!.id)),
  }));
  const differ = new Set(groups.map(({ limits }) => limits)).size > 1;
  return (
    <>
      <p>{t(table.cover === "covered" ? "rules_short" : "rules_short_open")}</p>
      <table class="odds">
        <caption>
          {payTableName(felt.title)} · {felt.pay_table}
          {!differ && groups[0] && ` · ${t("limits")} ${groups[0].limits}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t("bet")}</th>
            <th scope="col">{t("pays")}</th>
            <th scope="col">{t("returns")}</th>
            {differ && <th scope="col">{t("limits")}</th>}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ boxes, limits }) => {
            const first = boxes[0]!;
            return (
              <tr>
                <th scope="row">{groupName(boxes)}</th>
                <td>{oddsText(first.pays)}</td>
                <td>{first.return_percent.toFixed(2)}%</td>
                {differ && <td>{limits}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="small">{t("returns_explained")}</p>
      <h3>{t("sign")}</h3>
      <Sign table={table} />
      <h3>{t("placements")}</h3>
      <dl class="placements">
        {felt.placements.map(({ kind, box, sentences }) => {
          const example = felt.boxes.find((one) => one.id === box);
          return (
            <div key={kind}>
              <dt aria-label={example ? named(example.names) : kind}>
                {example && <Face box={example} w={220} h={130} />}
                <i class="placed-chip" aria-hidden="true" />
              </dt>
              <dd>{named(sentences)}</dd>
            </div>
          );
        })}
      </dl>
      <h3>{t("good_to_know")}</h3>
      <ul>
        <li>{ruleWords(table, hasParity(felt.boxes) ? "triples" : "triples_big")}</li>
        {["cut_off", "registered", "void", "interruption", "dice_decide"].map((rule) => (
          <li>{ruleWords(table, rule)}</li>
        ))}
      </ul>
      <h3>{t("what_is_what")}</h3>
      <dl class="what-is-what">
        {(table.untimed ? (["roll_dice", ...HELP] as const) : HELP).map((key) => (
          <div>
            <dt>{t(key)}</dt>
            <dd>{t(`help_${key}`)}</dd>
          </div>
        ))}
      </dl>
      {help && <p class="small help-line">{help}</p>}
      {rules.value && (
        <details>
          <summary>
            {rules.value.title} · {rules.value.version}
          </summary>
          <FrontPage rulebook={rules.value.id} page={rules.value.front_page} />
          <dl class="clauses">
            {rules.value.clauses.map(({ number, text, heading }) => (
              <>
                <dt>{number}</dt>
                <dd lang="en">{heading ? <b>{text}</b> : text}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
