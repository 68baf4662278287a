/** The last rounds of this player, each bet with its explanation and clauses. */
import { language, said, t } from "../../lib/i18n.ts";
import { callWords } from "../../lib/phase.ts";
import type { BetView, PlayedRoundView } from "../../lib/types.ts";
import { Dice } from "../../ui/dice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { dateTime } from "../../ui/staff/times.ts";
import type { Terminal } from "./model.ts";
import { isCorrected } from "./result-card.tsx";

export function Recall({ terminal }: { terminal: Terminal }) {
  const rounds = terminal.recall.value;
  return (
    <>
      <p class="recall-mark">{t("recall_mark")}</p>
      {rounds.length === 0 && <p>{t("recall_empty")}</p>}
      <ol class="recall">
        {rounds.map((round, place) => (
          <li key={round.round}>
            <details open={place === 0}>
              <summary>
                <span>{t("round_number", { n: round.round })}</span>
                {round.dice && !round.void ? (
                  <Dice faces={round.dice} label={callWords(round.dice).whole} />
                ) : (
                  <>
                    {round.known && <Dice faces={round.known} />}
                    <em>{t(round.void ? "phase_void" : "phase_known")}</em>
                  </>
                )}
                {isCorrected(terminal, round.round) && <em>{t("corrected")}</em>}
                <b data-sign={Math.sign(round.returned - round.staked)}>
                  {terminal.net(round.returned - round.staked)}
                </b>
              </summary>
              <Played terminal={terminal} round={round} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

function Played({ terminal, round }: { terminal: Terminal; round: PlayedRoundView }) {
  const at = dateTime(round.at);
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
          {round.bets.map((bet) => (
            <Bet terminal={terminal} bet={bet} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("sum_of_round")}</th>
            <td>{terminal.money(round.staked)}</td>
            <td>{terminal.money(round.returned)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="small">
        {t("credit_went", { before: terminal.money(round.credit_before), after: terminal.money(round.credit_after) })} ·{" "}
        <time>{at}</time>
        {round.repaid > 0 && ` · ${t("round_repaid", { amount: terminal.money(round.repaid) })}`}
      </p>
      {round.receipt && (
        <p class="small">
          <a href={round.receipt} download={`receipt-${round.round}.json`}>
            {t("bet_receipt")}
          </a>{" "}
          ·{" "}
          <a href={`/verify?lang=${language.value}`} target="_blank" rel="noreferrer">
            {t("receipt_check")}
          </a>
        </p>
      )}
    </>
  );
}

function Bet({ terminal, bet }: { terminal: Terminal; bet: BetView }) {
  return (
    <tr data-won={bet.won}>
      <th scope="row">
        {bet.won && <Icon name="easy" />}
        {terminal.boxName(bet.box)}
        {said(bet.sentences).map((sentence) => (
          <small>{sentence}</small>
        ))}
      </th>
      <td>
        {terminal.money(bet.stake)}
        {bet.effective !== bet.stake && <small>{t("effective", { amount: terminal.money(bet.effective) })}</small>}
      </td>
      <td>{terminal.money(bet.returned)}</td>
    </tr>
  );
}
