/** The result over the felt: the dice, what they are called, and what they brought this player, box by box. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { gap, said, t } from "../../lib/i18n.ts";
import { callOf, callWords, hasParity } from "../../lib/phase.ts";
import type { BetView, PlayedRoundView } from "../../lib/types.ts";
import { Dice } from "../../ui/dice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { joyOf } from "./calls.ts";
import type { Terminal } from "./model.ts";

/** As many lines as a phone shows without scrolling; the rest is one line more. */
const LINES = 5;
const COINS = Array.from({ length: 26 }, (_, place) => place);

/** What won comes first, then what was larger. */
const inOrder = (bets: readonly BetView[]): BetView[] =>
  [...bets].sort((a, b) => Number(b.won) - Number(a.won) || b.returned - a.returned || b.stake - a.stake);

function Line({ terminal, bet, open }: { terminal: Terminal; bet: BetView; open: () => void }) {
  return (
    <tr data-won={bet.won}>
      <th scope="row">
        <button type="button" class="why" onClick={open} aria-label={t("why_box", { box: terminal.boxName(bet.box) })}>
          {bet.won && <Icon name="easy" />}
          <span>{terminal.boxName(bet.box)}</span>
          <Icon name="info" />
        </button>
      </th>
      <td>{terminal.money(bet.stake)}</td>
      <td>{terminal.money(bet.returned)}</td>
    </tr>
  );
}

interface PlayedProps {
  readonly terminal: Terminal;
  readonly played: PlayedRoundView;
  /** Opens the player's last rounds, where every bet has its line. */
  readonly recall: () => void;
}

function Bets({ terminal, played, recall }: PlayedProps) {
  const asked = useSignal("");
  const bets = inOrder(played.bets);
  const whole = bets.length <= LINES + 1;
  const [shown, others] = whole ? [bets, []] : [bets.slice(0, LINES), bets.slice(LINES)];
  const why = bets.find((bet) => bet.box === asked.value);
  useEffect(() => void (asked.value = ""), [played.round]);
  const sum = (of: readonly BetView[], part: "stake" | "returned") => of.reduce((all, bet) => all + bet[part], 0);
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("bet")}</th>
            <th scope="col">{t("stake")}</th>
            <th scope="col">{t("returned")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((bet) => (
            <Line key={bet.box} terminal={terminal} bet={bet} open={() => (asked.value = bet.box)} />
          ))}
          {others.length > 0 && (
            <tr>
              <th scope="row">
                <button type="button" class="why" onClick={recall}>
                  <span>{t("other_bets", { n: others.length })}</span>
                  <Icon name="history" />
                </button>
              </th>
              <td>{terminal.money(sum(others, "stake"))}</td>
              <td>{terminal.money(sum(others, "returned"))}</td>
            </tr>
          )}
        </tbody>
      </table>
      <p class="reason" role="status" data-asked={why !== undefined}>
        {why ? said(why.sentences).join(gap()) : t("card_why")}
      </p>
    </>
  );
}

function Brought({ terminal, played, recall }: PlayedProps) {
  const net = played.returned - played.staked;
  return (
    <>
      <p class="came-back">
        <span>
          {t("card_returned")} <b>{terminal.money(played.returned)}</b>
        </span>
        <span>
          {t("card_net")} <b data-sign={Math.sign(net)}>{terminal.net(net)}</b>
        </span>
      </p>
      <Bets terminal={terminal} played={played} recall={recall} />
    </>
  );
}

/** Whether a round's result is another one than was first entered. */
export const isCorrected = (terminal: Terminal, round: number): boolean =>
  terminal.history.value.some((one) => one.round === round && one.corrected);

export function ResultCard({ terminal, recall }: { terminal: Terminal; recall: () => void }) {
  const shown = terminal.result.value;
  const away = useSignal(0);
  if (!shown || away.value === shown.round.number) return null;
  const dice = shown.round.dice!;
  const { total, triple, size, parity } = callOf(dice);
  const played = shown.played?.round === shown.round.number ? shown.played : null;
  // Whoever has bets in the round gets the whole card at once, and none that grows when they are paid.
  if (!played && terminal.staked.value) return null;
  const joy = played ? joyOf(played) : 0;
  const corrected = isCorrected(terminal, shown.round.number);
  const kinds = triple
    ? [t("kind_triple")]
    : [size && t(`kind_${size}`), hasParity(terminal.felt.value?.boxes ?? []) && parity && t(`kind_${parity}`)];
  return (
    <section class="result-card" data-joy={joy} data-bets={played !== null} aria-label={t("your_result")}>
      {joy > 1 && (
        <span class="coins" aria-hidden="true">
          {COINS.map((place) => (
            <i data-place={place % 13} data-late={place % 5} />
          ))}
        </span>
      )}
      <header>
        <Dice faces={dice} label={callWords(dice).whole} />
        <p class="called">
          <b>{total}</b> {[...kinds, corrected && t("corrected")].filter(Boolean).join(t("list_comma"))}
        </p>
        <button
          type="button"
          class="quiet square"
          aria-label={t("close")}
          onClick={() => (away.value = shown.round.number)}
        >
          <Icon name="close" />
        </button>
      </header>
      {played && <Brought terminal={terminal} played={played} recall={recall} />}
      {terminal.table.value?.untimed && <p class="go-on">{terminal.after.value && t("card_go_on")}</p>}
    </section>
  );
}
