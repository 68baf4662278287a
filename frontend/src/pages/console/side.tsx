/** Beside the felt: what needs attention, who is at the table, and the acts for when something goes wrong. */
import { type Signal, useSignal } from "@preact/signals";
import { has, type Key, t } from "../../lib/i18n.ts";
import type { ConsoleView, SlipView } from "../../lib/types.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { approvals } from "../../ui/staff/approvals.tsx";
import { told } from "../../ui/staff/notice.tsx";
import { type ActAnswer, ask, cash, isOneOf, person, SUPERVISORS } from "../../ui/staff/session.ts";
import { breachWords } from "./closing.tsx";
import type { Console } from "./model.ts";
import type { PanelName } from "./panels.tsx";
import { PayChanges } from "./pay-list.tsx";
import { Seats } from "./seats.tsx";
import { DangerAct } from "./stage.tsx";

interface SideProps {
  readonly console: Console;
  readonly panel: Signal<PanelName | null>;
}

/** `ann.T1` is ann to those at T1: money belongs to a person at a table. */
export const shortName = (player: string, table: string): string =>
  player.endsWith(`.${table}`) ? player.slice(0, -table.length - 1) : player;

/** Limits that the bets break, each with its remedy. */
export function Alerts({ console }: { console: Console }) {
  const view = console.view.value;
  const legal = console.legal.value;
  const table = console.name;
  const calls = view?.terminals.filter((one) => one.attendant) ?? [];
  const waiting = approvals.value.filter((one) => one.by === person.value?.name && one.target === `table:${table}`);
  // Once nothing can be done about a small bet any more, it asks for nobody's attention.
  const small = legal.has("AdviseMinimum") || legal.has("ReturnBelowMinimum") ? (view?.below_minimum ?? []) : [];
  const none =
    !view || ![view.breaches, small, calls, waiting, console.pay.openChanges.value].some((some) => some.length);
  return (
    <section class="card alerts" data-none={none} aria-labelledby="alerts-head">
      <h2 id="alerts-head">{t("alerts")}</h2>
      {none && <p class="small">{t("alerts_none")}</p>}
      <ul>
        <PayChanges console={console} />
        {view?.breaches.map((breach) => {
          return (
            <li class="alert" data-kind="excess">
              <Icon name="alarm" />
              <p>{breachWords(console, breach)}</p>
              {legal.has("RejectExcess") && (
                <button
                  type="button"
                  class="solid"
                  onClick={() => void console.done("RejectExcess", t("excess_rejected"), { on: breach.on })}
                >
                  {t("reject_excess")}
                </button>
              )}
            </li>
          );
        })}
        {small.map((bet) => {
          const fields = { player: bet.player, box: bet.box };
          return (
            <li class="alert" data-kind="minimum">
              <Icon name="alarm" />
              <p>
                {t("below_minimum", {
                  player: shortName(bet.player, table),
                  box: console.boxName(bet.box),
                  stake: cash(bet.stake),
                  minimum: cash(bet.minimum),
                })}
              </p>
              {!bet.advised && legal.has("AdviseMinimum") && (
                <button
                  type="button"
                  class="solid"
                  onClick={() => void console.done("AdviseMinimum", t("advised"), fields)}
                >
                  {t("advise_minimum")}
                </button>
              )}
              {bet.advised && legal.has("ReturnBelowMinimum") && (
                <button
                  type="button"
                  class="solid"
                  onClick={() => void console.done("ReturnBelowMinimum", t("bet_returned"), fields)}
                >
                  {t("return_bet")}
                </button>
              )}
              {bet.advised && <small class="tag">{t("was_advised")}</small>}
            </li>
          );
        })}
        {calls.map((terminal) => (
          <li class="alert" data-kind="call">
            <Icon name="bell" />
            <p>{t("attendant_at", { terminal: terminal.terminal })}</p>
          </li>
        ))}
        {waiting.map((one) => (
          <li class="alert" data-kind="waiting">
            <Icon name="clock" />
            <p>{t("told_of", { what: t(`act_${one.act}` as Key), more: t("waits_for_second") })}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A colour by its name in the record, in the reader's words where there are some. */
export const colourName = (colour: string): string => (has(`colour_${colour}`) ? t(`colour_${colour}` as Key) : colour);

/** As they sit around the table; whoever has no seat comes last, by name. */
function bySeat(view: ConsoleView | null): readonly SlipView[] {
  const seats = new Map(view?.seats.map((one) => [one.player, one.seat]));
  const place = ({ player }: SlipView): number => seats.get(player) ?? Infinity;
  return [...(view?.slips ?? [])].sort(
    (one, other) => place(one) - place(other) || one.player.localeCompare(other.player),
  );
}

/** At a live table: who has money or bets here. */
export function Players({ console, panel }: SideProps) {
  const slips = bySeat(console.view.value);
  const canBet = console.legal.value.has("PlaceBets") && console.deadline.inTime.value;
  return (
    <section class="card people" aria-labelledby="players-head">
      <header class="card-head">
        <h2 id="players-head">
          {t("players")} <small>{slips.length}</small>
        </h2>
        <button type="button" class="quiet tool" onClick={() => (panel.value = "player")}>
          <Icon name="plus" />
          <span>{t("player_new")}</span>
        </button>
      </header>
      <Seats console={console} panel={panel} />
      {console.view.value?.colour_chips && (
        <button type="button" class="quiet tool" onClick={() => (panel.value = "colours")}>
          <Icon name="cash" />
          <span>
            {t("colour_chips")} <small>{console.view.value.colours.length}</small>
          </span>
        </button>
      )}
      <ul class="rows">
        {slips.map((slip) => {
          const staked = Object.values(slip.slip).reduce((sum, amount) => sum + amount, 0);
          const name = shortName(slip.player, console.name);
          return (
            <li data-chosen={console.behalf.player.value === slip.player}>
              <span class="row-name">
                <b>{name}</b>
                {slip.absent && <small class="tag">{t(`absent_${slip.absent.replace("-", "_")}` as Key)}</small>}
              </span>
              <span class="row-sum">
                {slip.credit === null ? "" : cash(slip.credit)}
                {slip.unclaimed > 0 && <small>{t("unclaimed_of", { amount: cash(slip.unclaimed) })}</small>}
                {slip.owed > 0 && <small>{t("owes", { amount: cash(slip.owed) })}</small>}
                <small>{staked ? t("has_bet", { amount: cash(staked) }) : t("has_no_bet")}</small>
              </span>
              {canBet && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={t("bets_for", { player: name })}
                  onClick={() => console.behalf.begin(slip.player)}
                >
                  {t("bets_enter")}
                </button>
              )}
              <button
                type="button"
                class="quiet square"
                aria-label={t("player_more", { player: name })}
                onClick={() => {
                  console.behalf.leave();
                  panel.value = `player:${slip.player}`;
                }}
              >
                <Icon name="menu" />
              </button>
            </li>
          );
        })}
      </ul>
      {!slips.length && <p class="small">{t("players_none")}</p>}
    </section>
  );
}

/** At a cluster: the Player Terminals and how they are. */
export function Terminals({ console, panel }: SideProps) {
  const terminals = console.view.value?.terminals ?? [];
  const all = useSignal(false);
  const shown = all.value
    ? terminals
    : terminals.filter((one) => one.connected || one.has_bets || one.attendant || one.service !== "in-service");
  return (
    <section class="card people" aria-labelledby="terminals-head">
      <header class="card-head">
        <h2 id="terminals-head">
          {t("terminals")}{" "}
          <small>
            {t("terminals_here", { n: terminals.filter((one) => one.connected).length, all: terminals.length })}
          </small>
        </h2>
        <button type="button" class="quiet tool" aria-pressed={all.value} onClick={() => (all.value = !all.value)}>
          {t("show_all")}
        </button>
      </header>
      <ul class="rows">
        {shown.map((one) => (
          <li data-off={!one.connected}>
            <span class="row-name">
              <Icon name="screen" />
              <b>{one.terminal}</b>
            </span>
            <span class="tags">
              <small class="tag" data-good={one.connected}>
                {t(one.connected ? "terminal_on" : "terminal_off")}
              </small>
              {one.has_bets && (
                <small class="tag" data-good="true">
                  {t("terminal_bets")}
                </small>
              )}
              {one.attendant && (
                <small class="tag" data-bad="true">
                  {t("terminal_calls")}
                </small>
              )}
              {one.service !== "in-service" && (
                <small class="tag" data-bad="true">
                  {t(`condition_${one.service.replaceAll("-", "_")}` as Key)}
                </small>
              )}
            </span>
            <button
              type="button"
              class="quiet square"
              aria-label={t("terminal_more", { terminal: one.terminal })}
              onClick={() => (panel.value = `terminal:${one.terminal}`)}
            >
              <Icon name="menu" />
            </button>
          </li>
        ))}
      </ul>
      {!shown.length && <p class="small">{t("terminals_none")}</p>}
    </section>
  );
}

const IRREGULAR: readonly { readonly act: string; readonly panel?: PanelName; readonly icon: IconName }[] = [
  { act: "SuspendRound", icon: "pause" },
  { act: "VoidRound", panel: "void", icon: "clear" },
  { act: "InterruptRound", panel: "interrupt", icon: "alarm" },
  { act: "CorrectResult", panel: "correct-result", icon: "rebet" },
  { act: "CorrectBets", panel: "correct-bets", icon: "people" },
  { act: "ReportDamagedDice", panel: "damaged", icon: "alarm" },
  { act: "RecordDisplayFault", panel: "display-fault", icon: "screen" },
  { act: "MakeRuling", panel: "ruling", icon: "shield" },
  { act: "CloseTable", icon: "clear" },
  { act: "ReopenTable", icon: "check" },
];

/** Only what may be done now: the rest is not there. */
export function Irregularities({ console, panel }: SideProps) {
  const legal = console.legal.value;
  const offered = IRREGULAR.filter(({ act }) => legal.has(act));
  const round = console.round.value;
  const uncovered =
    console.table.value?.cover === "covered" &&
    round?.phase === "betting" &&
    !round.covered &&
    round.tumbles === null &&
    legal.has("ActivateTumbler");
  const seen = round?.phase === "betting" && round.covered && legal.has("ExposeDice");
  return (
    <section class="card" aria-labelledby="irregular-head">
      <h2 id="irregular-head">{t("irregularities")}</h2>
      <div class="irregular">
        {offered.map(({ act, panel: opens, icon }) => (
          // Its own key: when the list changes under a finger, no button becomes another act.
          <button
            key={act}
            type="button"
            class="quiet tool"
            data-act={act}
            onClick={() =>
              opens
                ? (panel.value = opens)
                : void console.done(act, t(act === "SuspendRound" ? "held_suspended" : "recorded"))
            }
          >
            <Icon name={icon} />
            <span>{t(`act_${act}` as Key)}</span>
          </button>
        ))}
        {uncovered && (
          <DangerAct
            label={t("tumbled_uncovered")}
            question={t("void_follows", { ground: t("ground_exposed_early") })}
            run={() => console.act("ActivateTumbler", { tumbles: 3, uncovered: true })}
          />
        )}
        {seen && (
          <DangerAct
            label={t("exposed_now")}
            question={t("void_follows", { ground: t("ground_exposed_early") })}
            run={() => console.act("ExposeDice")}
          />
        )}
      </div>
      {!offered.length && <p class="small">{t("irregularities_none")}</p>}
    </section>
  );
}

/** Who deals here, and the hand-over. */
export function Dealer({ console, panel }: SideProps) {
  const dealer = console.view.value?.dealer ?? null;
  const me = person.value?.name ?? "";
  const seat = async () => {
    const seated = await told(
      ask<ActAnswer>("POST", `/tables/${encodeURIComponent(console.name)}/dealer`, { name: me }),
      t("you_deal"),
    );
    if (seated && console.view.value) console.view.value = { ...console.view.value, dealer: me };
  };
  return (
    <div class="dealer">
      <span class="small">{t("dealer_here")}</span> <b>{dealer ?? t("dealer_nobody")}</b>
      {dealer !== me && (
        <button type="button" class="quiet" onClick={() => void seat()}>
          {t("dealer_take")}
        </button>
      )}
      {(dealer === me || isOneOf(SUPERVISORS)) && (
        <button type="button" class="quiet" onClick={() => (panel.value = "hand-over")}>
          {t("hand_over")}
        </button>
      )}
    </div>
  );
}
