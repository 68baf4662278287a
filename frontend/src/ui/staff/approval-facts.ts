/** What the second person signs, line by line: everything that the act will do, and what it changes from. */
import type { ApprovalView, TableSettings } from "../../http.ts";
import { boxById } from "../../lib/box-names.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { pairName } from "../../lib/pairs.ts";
import { cash, cashSpan } from "./session.ts";
import { dateTime } from "./times.ts";

export type Line = readonly [term: string, text: string];

type Slip = Readonly<Record<string, number>>;
interface NamedBet {
  readonly player: string;
  readonly box: string;
}

function settingLines({ pay_table, limits, timing, seats, money }: TableSettings): Line[] {
  return [
    [t("pay_table"), pay_table],
    [t("chip_unit"), cash(limits.unit)],
    [t("limits_now"), cashSpan(limits.default)],
    ...Object.entries({ ...limits.groups, ...limits.boxes }).map(([id, limit]): Line => [boxById(id), cashSpan(limit)]),
    ...Object.entries(limits.box_totals).map(
      ([id, most]): Line => [t("box_total_of", { box: boxById(id) }), cash(most)],
    ),
    ...Object.entries(limits.differential).map(([pair, limit]): Line => [pairName(pair), cash(limit)]),
    [t("excess_notice"), t(`notice_${limits.notice.replace("-", "_")}` as Key)],
    [t("betting_seconds"), timing.betting_seconds === null ? t("none_now") : String(timing.betting_seconds)],
    [t("seats_count"), String(seats)],
    [t("money_of_bets"), t(`money_${money}`)],
  ];
}

/** Settings as they will be: first what changes, with what it was, and what ends; then what stays. */
function changes(after: TableSettings, before: TableSettings | null | undefined): Line[] {
  const [now, was] = [settingLines(after), new Map(before ? settingLines(before) : [])];
  const kept = now.filter(([term, text]) => !before || was.get(term) === text);
  const fresh = now
    .filter((line) => !kept.includes(line))
    .map(([term, text]): Line => [term, t("before_now", { now: text, before: was.get(term) ?? t("none_now") })]);
  const named = new Set(now.map(([term]) => term));
  const ends = [...was]
    .filter(([term]) => !named.has(term))
    .map(([term, old]): Line => [term, t("before_now", { now: t("none_now"), before: old })]);
  return [...fresh, ...ends, ...kept];
}

type Policy = Readonly<Record<string, unknown>>;
const roleWord = (role: unknown): string => t(`role_${String(role).replaceAll("-", "_")}` as Key);

/** A value as it will be, with what it was. */
const changed = (now: unknown, before: unknown, word: (value: unknown) => string): string =>
  before === undefined ? word(now) : t("before_now", { now: word(now), before: word(before) });

/** The facts of a request in words. Dice are drawn by whoever shows the lines. */
export function factsOf({ fields }: Pick<ApprovalView, "fields">): Line[] {
  const lines: Line[] = [];
  const text = (name: string, term: Key) => fields[name] && lines.push([t(term), String(fields[name])]);
  const amount = (name: string, term: Key) =>
    typeof fields[name] === "number" && lines.push([t(term), cash(fields[name] as number)]);
  text("name", "staff_name");
  if (fields["role"]) lines.push([t("staff_role"), changed(fields["role"], fields["role_before"], roleWord)]);
  if (fields["policy"])
    for (const [name, value] of Object.entries(fields["policy"]))
      if (String(value) !== String((fields["policy_before"] as Policy)[name]))
        lines.push([name, changed(value, (fields["policy_before"] as Policy)[name], String)]);
  text("table", "at_table");
  text("terminal", "terminal_of");
  text("player", "player");
  if (fields["slip"] && typeof fields["slip"] === "object")
    lines.push([
      t("bets"),
      Object.entries(fields["slip"] as Slip)
        .map(([box, stake]) => `${boxById(box)} ${cash(stake)}`)
        .join(t("list_comma")) || t("none_now"),
    ]);
  else text("slip", "slip_number");
  if (fields["ground"]) lines.push([t("ground"), t(`ground_${String(fields["ground"]).replaceAll("-", "_")}` as Key)]);
  if (fields["decision"]) lines.push([t("ruling"), t(`ruling_${String(fields["decision"]).replace("-", "_")}` as Key)]);
  for (const bet of (fields["bets"] ?? []) as readonly NamedBet[])
    lines.push([t("bet_to_return"), `${bet.player} · ${boxById(bet.box)}`]);
  text("dice_set", "dice_set");
  if (Array.isArray(fields["rounds"])) lines.push([t("rounds_affected"), fields["rounds"].join(t("list_comma"))]);
  for (const [table, rounds] of Object.entries((fields["elsewhere"] ?? {}) as Readonly<Record<string, number[]>>))
    lines.push([`${t("rounds_affected")} · ${table}`, rounds.join(t("list_comma"))]);
  text("box", "drop_box_of");
  if (fields["when"]) lines.push([t("count_at"), t(`count_${String(fields["when"])}` as Key)]);
  if (fields["last_four"]) lines.push([t("ticket_ends"), `…${String(fields["last_four"])}`]);
  amount("amount", "amount");
  amount("counted", "counted");
  if (fields["waive"]) lines.push([t("debt_waived"), t("yes")]);
  else if (fields["source"] === "cash" || fields["source"] === "credit")
    lines.push([t("paid_from"), t(`source_${fields["source"]}`)]);
  if (fields["reissue"]) lines.push([t("ticket_reissue"), t("yes")]);
  if (fields["effective"]) lines.push([t("effective_from"), dateTime(Date.parse(String(fields["effective"])))]);
  if (fields["settings"])
    lines.push(...changes(fields["settings"] as TableSettings, fields["before"] as TableSettings | null | undefined));
  return lines;
}
