/** What an act that waits would change about rounds: dice, bets, and whose money by how much, before it is signed. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApprovalView, RoundEffectView } from "../../http.ts";
import { boxById } from "../../lib/box-names.ts";
import { type Key, said, t } from "../../lib/i18n.ts";
import { Dice } from "../dice.tsx";
import { ask, cash, faultOf, isOneOf, netCash, PAGES } from "./session.ts";

const SHOWN = 12;
const LOOK_EVERY = 2_500;

const slipWords = (slip: Readonly<Record<string, number>>): string =>
  Object.entries(slip)
    .map(([box, stake]) => `${boxById(box)} ${cash(stake)}`)
    .join(t("list_comma")) || t("none_now");

const stateWords = (state: string): string => t(`state_${state.replaceAll("-", "_")}` as Key);

/** The round itself, on the page where this person may see it. */
export function RoundLink({ table, round }: { table: string; round: number }) {
  const page = ["pit", "audit"].find((one) => isOneOf(PAGES[one] ?? []));
  const words = t("round_number", { n: round });
  return page ? (
    <a href={`/${page}?table=${encodeURIComponent(table)}&round=${round}`}>{words}</a>
  ) : (
    <span>{words}</span>
  );
}

function DiceChange({ before, after }: { before: readonly number[] | null; after: readonly number[] | null }) {
  const drawn = (faces: readonly number[] | null) => (faces ? <Dice faces={faces} /> : <span>{t("none_now")}</span>);
  return (
    <p class="effect-dice">
      {drawn(before)} <span aria-hidden="true">→</span> <span class="unseen">{t("becomes")}</span> {drawn(after)}
    </p>
  );
}

function Effect({ one }: { one: RoundEffectView }) {
  const dice = one.dice_before?.join() !== one.dice_after?.join();
  const sum = one.money.reduce((total, { difference }) => total - difference, 0);
  return (
    <div class="effect">
      <p>
        <RoundLink table={one.table} round={one.round} />
        {one.state_before !== one.state_after &&
          t("told_of", { what: "", more: `${stateWords(one.state_before)} → ${stateWords(one.state_after)}` })}
      </p>
      {dice && <DiceChange before={one.dice_before} after={one.dice_after} />}
      {one.bets.map(({ player, before, after }) => (
        <p class="small">
          <b>{player}</b>
          {t("told_of", { what: "", more: `${slipWords(before)} → ${slipWords(after)}` })}
        </p>
      ))}
      {said(one.sentences).length > 0 && <p class="refused-note">{said(one.sentences).join(" ")}</p>}
      {one.money.length > 0 ? (
        <table class="effect-money">
          <thead>
            <tr>
              <th scope="col">{t("player")}</th>
              <th scope="col">{t("net_before")}</th>
              <th scope="col">{t("net_after")}</th>
              <th scope="col">{t("net_change")}</th>
            </tr>
          </thead>
          <tbody>
            {one.money.slice(0, SHOWN).map(({ player, before, after, difference }) => (
              <tr>
                <th scope="row">{player}</th>
                <td>{netCash(before)}</td>
                <td>{netCash(after)}</td>
                <td data-sign={Math.sign(difference)}>{netCash(difference)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">
                {one.money.length > SHOWN ? t("house_and_more", { n: one.money.length - SHOWN }) : t("the_house")}
              </th>
              <td />
              <td />
              <td data-sign={Math.sign(sum)}>{netCash(sum)}</td>
            </tr>
          </tfoot>
        </table>
      ) : (
        !one.sentences["en"] && <p class="small">{t("no_money_moves")}</p>
      )}
    </div>
  );
}

/** What it would do as things stand: read again while it is shown, since other acts change the same round. */
export function Effects({ request }: { request: ApprovalView }) {
  const effects = useSignal<readonly RoundEffectView[]>([]);
  const fault = useSignal("");
  useEffect(() => {
    if (!request.target.startsWith("table:")) return;
    const look = () =>
      ask<readonly RoundEffectView[]>("GET", `/approvals/${encodeURIComponent(request.id)}/effects`).then(
        (found) => {
          [effects.value, fault.value] = [found, ""];
        },
        (problem: unknown) => (fault.value = faultOf(problem)),
      );
    void look();
    const looking = setInterval(() => void look(), LOOK_EVERY);
    return () => clearInterval(looking);
  }, [request.id]);
  if (fault.value) return <p class="refused-note">{fault.value}</p>;
  if (!effects.value.length) return null;
  return (
    <div class="effects">
      {effects.value.map((one) => (
        <Effect key={one.round} one={one} />
      ))}
    </div>
  );
}
