/** Debts and unclaimed money: what is open, from which round and clause, and what two people decide about it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OwedView } from "../../http.ts";
import { has, type Key, t } from "../../lib/i18n.ts";
import { Dialog } from "../dialog.tsx";
import { Icon } from "../icon.tsx";
import { ActForm, amountIn, Choice, MoneyField, TextField } from "./fields.tsx";
import { IdentityFields, identityIn, useIdentity } from "./identity.tsx";
import { typedMoney } from "./money-entry.ts";
import { note, told } from "./notice.tsx";
import { type ActAnswer, ask, cash, currency, faultOf } from "./session.ts";
import { dateTime } from "./times.ts";

const POLL = 5_000; // corrections and decisions come from elsewhere

export type OwedKind = OwedView["kind"];

const causeOf = (cause: string): string => (has(`cause_${cause}`) ? t(`cause_${cause}` as Key) : cause);

/** What is open at every table, or at one. */
export function OwedRegister({ table }: { table?: string }) {
  const rows = useSignal<readonly OwedView[] | null>(null);
  const chosen = useSignal<OwedView | null>(null);
  useEffect(() => {
    let stopped = false;
    const look = () =>
      ask<readonly OwedView[]>("GET", "/owed").then(
        (found) => {
          if (!stopped) rows.value = table ? found.filter((one) => one.table === table) : found;
        },
        (problem: unknown) => note("refused", faultOf(problem)),
      );
    void look();
    const looking = setInterval(() => void look(), POLL);
    return () => {
      stopped = true;
      clearInterval(looking);
    };
  }, [table]);
  if (!rows.value) return <p>{t("loading")}</p>;
  if (!rows.value.length) return <p class="small">{t("owed_none")}</p>;
  return (
    <>
      <ul class="owed">
        {rows.value.map((row) => (
          <li key={`${row.kind} ${row.player} ${row.table}`} data-kind={row.kind}>
            <div class="owed-head">
              <b>{row.player}</b>
              <span>{t(`owed_${row.kind}`)}</span>
              <b class="owed-amount">{cash(row.total)}</b>
            </div>
            <ul class="owed-entries">
              {row.entries.map((entry) => (
                <li>
                  {[
                    entry.round === null ? row.table : `${row.table} · ${t("round_number", { n: entry.round })}`,
                    `${causeOf(entry.cause)} (${entry.clause})`,
                    cash(entry.left),
                    dateTime(entry.at),
                  ].join(" · ")}
                </li>
              ))}
            </ul>
            <div class="choice">
              <small>{t("owed_days", { n: row.days })}</small>
              <button type="button" class="quiet" onClick={() => (chosen.value = row)}>
                {t("owed_decide", { player: row.player })}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {chosen.value && (
        <Dialog
          name="owed"
          title={t("owed_decide", { player: chosen.value.player })}
          close={() => (chosen.value = null)}
        >
          <DecideOwed {...chosen.value} close={() => (chosen.value = null)} />
        </Dialog>
      )}
    </>
  );
}

interface DecideForProps {
  readonly kind: OwedKind;
  readonly table: string;
  readonly player: string;
  readonly close: () => void;
}

/** The decision on one player, where only the name is at hand. */
export function DecideFor({ kind, table, player, close }: DecideForProps) {
  const row = useSignal<OwedView | null>(null);
  useEffect(() => {
    ask<readonly OwedView[]>("GET", "/owed").then(
      (found) =>
        (row.value = found.find((one) => one.kind === kind && one.table === table && one.player === player) ?? null),
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, [kind, table, player]);
  return row.value && <DecideOwed {...row.value} close={close} />;
}

type DecideProps = Pick<OwedView, "kind" | "table" | "player" | "total" | "needs_identity"> & {
  readonly close: () => void;
};

type Decision = "collect" | "from-credit" | "waive" | "pay-out";

/** Collect, waive or pay out: asked for here, and done when a second person agrees. */
export function DecideOwed({ kind, table, player, total, needs_identity, close }: DecideProps) {
  const decision = useSignal<Decision>(kind === "receivable" ? "collect" : "pay-out");
  const [amount, reason] = [useSignal(typedMoney(total, currency.value.exponent)), useSignal("")];
  const identity = useIdentity();
  const minor = kind === "receivable" ? (amountIn(amount) ?? 0) : total;
  const known = !needs_identity || identityIn(identity) !== null;
  const run = async () => {
    const what = decision.value;
    const body = {
      decision: what === "from-credit" ? "collect" : what,
      source: what === "from-credit" ? "credit" : "cash",
      table,
      player,
      amount: minor,
      reason: reason.value.trim(),
      identity: identityIn(identity),
    };
    if (await told(ask<ActAnswer>("POST", "/owed/decisions", body), t("waits_for_second"))) close();
  };
  return (
    <ActForm
      submit={t("ask_second")}
      ready={minor > 0 && minor <= total && known && reason.value.trim() !== ""}
      cancel={close}
      run={run}
    >
      {kind === "receivable" ? (
        <>
          <Choice
            label={t("owed_receivable")}
            of={decision}
            options={(["collect", "from-credit", "waive"] as const).map((value) => ({
              value,
              text: t(`decision_${value.replace("-", "_")}` as Key),
            }))}
          />
          <MoneyField label={t("amount")} of={amount} />
        </>
      ) : (
        <p>
          {t("decision_pay_out")} <b>{cash(total)}</b>
        </p>
      )}
      {needs_identity && <IdentityFields of={identity} />}
      <TextField label={t("reason")} of={reason} required />
      <p class="two-people">{t("owed_takes_two")}</p>
    </ActForm>
  );
}

/** The register as a card of a page. */
export function OwedCard() {
  return (
    <section class="card" aria-labelledby="owed-head">
      <h2 id="owed-head">
        <Icon name="cash" /> {t("owed_register")}
      </h2>
      <OwedRegister />
    </section>
  );
}
