/** Dialogs about people and machines: the hand-over, players with their money, terminals. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SeatView } from "../../http.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { ActForm, amountIn, MoneyField, TextField } from "../../ui/staff/fields.tsx";
import { IdentityFields, identityIn, useIdentity } from "../../ui/staff/identity.tsx";
import { note, told } from "../../ui/staff/notice.tsx";
import { DecideFor, type OwedKind } from "../../ui/staff/owed.tsx";
import { type ActAnswer, ask, cash, faultOf, isLarge, logOut, person } from "../../ui/staff/session.ts";
import type { PanelProps } from "./panels.tsx";
import { freeSeats } from "./seats.tsx";

export function HandOver({ console, close }: PanelProps) {
  const to = useSignal("");
  const run = async () => {
    const seated = await told(
      ask<ActAnswer>("POST", `/tables/${encodeURIComponent(console.name)}/dealer`, { name: to.value.trim() || null }),
      t("handed_over"),
    );
    if (!seated) return;
    close();
    await logOut();
  };
  return (
    <ActForm submit={t("hand_over_do")} ready cancel={close} run={run}>
      <p>{t("hand_over_text", { name: person.value?.name ?? "" })}</p>
      <TextField label={t("hand_over_to")} of={to} hint={t("hand_over_hint")} />
    </ActForm>
  );
}

/** A name that can stand in the record; which table it is at, the server knows. */
const plainName = (typed: string): string => typed.trim().replaceAll(/\s+/g, "-");
const NAMED = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,40}$/;

export function NewPlayer({ console, close }: PanelProps) {
  const free = freeSeats(console);
  const [name, amount, seat] = [useSignal(""), useSignal(""), useSignal(String(free[0] ?? ""))];
  const player = plainName(name.value);
  const wrong = name.value.trim() !== "" && !NAMED.test(player);
  const run = async () => {
    const minor = amountIn(amount);
    if (
      seat.value &&
      !(await console.done("TakeSeat", t("seat_is_taken", { n: seat.value }), { seat: Number(seat.value), player }))
    )
      return;
    if (minor && !(await console.done("BuyIn", t("bought_in", { amount: cash(minor) }), { player, amount: minor })))
      return;
    close();
    if (console.legal.value.has("PlaceBets")) console.behalf.begin(player);
  };
  return (
    <ActForm submit={t("player_seat")} ready={NAMED.test(player) && name.value.trim() !== ""} cancel={close} run={run}>
      <TextField
        label={t("player_name")}
        of={name}
        hint={wrong ? t("player_name_wrong") : t("player_name_hint")}
        required
      />
      {free.length > 0 && (
        <label class="field">
          {t("seat")}
          <select value={seat} onChange={(event) => (seat.value = event.currentTarget.value)}>
            {free.map((one) => (
              <option value={one}>{one}</option>
            ))}
            <option value="">{t("seat_none")}</option>
          </select>
        </label>
      )}
      <MoneyField label={t("buy_in_amount")} of={amount} optional />
    </ActForm>
  );
}

export function PlayerPanel({ player, console, close }: PanelProps & { player: string }) {
  const slip = console.view.value?.slips.find((one) => one.player === player);
  const [amount, handed] = [useSignal(""), useSignal("")];
  const legal = console.legal.value;
  const bets = Object.entries(slip?.slip ?? {});
  const free = slip?.credit ?? 0;
  /** Whoever comes for the credit of one who has gone shows a document. */
  const [gone, identity] = [slip?.absent === "left" || slip?.absent === "walked-away", useIdentity()];
  const shows = gone || isLarge(free);
  const asked = useSignal<OwedKind | null>(null);
  const seats = (console.view.value?.seats ?? []).filter((one) => one.player === player);
  const and = (done: Promise<boolean>) => void done.then((went) => went && close());
  return (
    <>
      <dl class="check">
        {slip?.credit != null && (
          <>
            <dt>{t("credit_is")}</dt>
            <dd>{cash(slip.credit)}</dd>
          </>
        )}
        {!!slip?.unclaimed && (
          <>
            <dt>{t("unclaimed_is")}</dt>
            <dd>{cash(slip.unclaimed)}</dd>
          </>
        )}
        {!!slip?.owed && (
          <>
            <dt>{t("owed_is")}</dt>
            <dd>{cash(slip.owed)}</dd>
          </>
        )}
        {bets.map(([box, minor]) => (
          <>
            <dt>{console.boxName(box)}</dt>
            <dd>{cash(minor)}</dd>
          </>
        ))}
      </dl>
      <ActForm
        submit={t("buy_in_do")}
        ready={(amountIn(amount) ?? 0) > 0}
        run={async () => {
          const minor = amountIn(amount)!;
          if (await console.done("BuyIn", t("bought_in", { amount: cash(minor) }), { player, amount: minor })) close();
        }}
      >
        <MoneyField label={t("buy_in_amount")} of={amount} />
      </ActForm>
      {slip?.credit === null && (
        <ActForm
          submit={t("chips_back_do")}
          ready={(amountIn(handed) ?? 0) > 0}
          run={async () => {
            const seen = isLarge(amountIn(handed) ?? 0) ? identityIn(identity) : null;
            const fields = { player, chips: amountIn(handed), identity: seen };
            if (await console.done("CashOut", t("cashed_out"), fields)) close();
          }}
        >
          <MoneyField label={t("chips_back")} of={handed} />
          {isLarge(amountIn(handed) ?? 0) && <IdentityFields of={identity} />}
        </ActForm>
      )}
      {shows && !bets.length && free > 0 && !slip?.owed && (
        <ActForm
          submit={t("cash_out_do", { amount: cash(free) })}
          ready={identityIn(identity) !== null}
          run={async () => {
            if (await console.done("CashOut", t("cashed_out"), { player, identity: identityIn(identity) })) close();
          }}
        >
          <IdentityFields of={identity} />
        </ActForm>
      )}
      {asked.value && (
        <DecideFor kind={asked.value} table={console.name} player={player} close={() => (asked.value = null)} />
      )}
      <div class="panel-acts">
        {!!slip?.owed && (
          <button type="button" class="quiet" onClick={() => (asked.value = "receivable")}>
            {t("act_CollectOwed")}
          </button>
        )}
        {!!slip?.unclaimed && !slip.owed && (
          <button type="button" class="quiet" onClick={() => (asked.value = "unclaimed")}>
            {t("unclaimed_pay", { amount: cash(slip.unclaimed) })}
          </button>
        )}
        {!bets.length && free > 0 && !slip?.owed && !shows && (
          <button type="button" class="quiet" onClick={() => and(console.done("CashOut", t("cashed_out"), { player }))}>
            {t("cash_out_do", { amount: cash(free) })}
          </button>
        )}
        {bets.length > 0 && legal.has("RecordWalkAway") && (
          <button
            type="button"
            class="quiet"
            onClick={() => and(console.done("RecordWalkAway", t("recorded"), { player }))}
          >
            {t("act_RecordWalkAway")}
          </button>
        )}
        {seats.map(({ seat }) => (
          <button type="button" class="quiet" onClick={() => and(console.done("LeaveSeat", t("recorded"), { seat }))}>
            {t("seat_leave", { n: seat })}
          </button>
        ))}
        <button type="button" class="quiet" onClick={() => and(console.done("LeaveTable", t("recorded"), { player }))}>
          {t("player_left")}
        </button>
      </div>
    </>
  );
}

export function TerminalPanel({ terminal, console, close }: PanelProps & { terminal: string }) {
  const seat = useSignal<SeatView | null>(null);
  const here = `/tables/${encodeURIComponent(console.name)}/terminals`;
  useEffect(() => {
    ask<readonly SeatView[]>("GET", here).then(
      (all) => (seat.value = all.find((one) => one.terminal === terminal) ?? null),
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, [terminal]);
  const service = console.view.value?.terminals.find((one) => one.terminal === terminal)?.service ?? "in-service";
  const [asking, reason] = [useSignal<"" | "hand-pay" | "service">(""), useSignal("")];
  const identity = useIdentity();
  const why = reason.value.trim();
  const send = async (what: string, body: object) => {
    if (await told(ask<ActAnswer>("POST", `${here}/${encodeURIComponent(terminal)}/${what}`, body), t("recorded")))
      close();
  };
  const session = seat.value?.session;
  const credit = seat.value?.credit ?? 0;
  const pays = t("hand_pay", { amount: cash(credit) });
  const shows = asking.value === "hand-pay" && isLarge(credit);
  return (
    <>
      <dl class="check">
        <dt>{t("condition")}</dt>
        <dd>{t(`condition_${service.replaceAll("-", "_")}` as Key)}</dd>
        <dt>{t("credit_is")}</dt>
        <dd>{cash(credit)}</dd>
        <dt>{t("staked_now")}</dt>
        <dd>{cash(seat.value?.staked ?? 0)}</dd>
      </dl>
      {asking.value && (
        <ActForm
          submit={t("ask_second")}
          ready={why !== "" && (!shows || identityIn(identity) !== null)}
          cancel={() => (asking.value = "")}
          run={() =>
            send(
              asking.value,
              asking.value === "service"
                ? { service: "in-service", reason: why }
                : { reason: why, identity: shows ? identityIn(identity) : null },
            )
          }
        >
          <p>
            <b>{asking.value === "service" ? t("act_SetService") : pays}</b>
          </p>
          <TextField label={t("reason")} of={reason} required />
          {shows && <IdentityFields of={identity} />}
          <p class="two-people">{t("takes_two")}</p>
        </ActForm>
      )}
      <div class="panel-acts">
        {service === "in-service" ? (
          <button type="button" class="quiet" onClick={() => void send("service", { service: "out-of-service" })}>
            {t("terminal_out")}
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => (asking.value = "service")}>
            {t("act_SetService")}
          </button>
        )}
        {credit > 0 && (
          <button type="button" class="quiet" onClick={() => (asking.value = "hand-pay")}>
            {pays}
          </button>
        )}
        {session && !!seat.value?.staked && console.legal.value.has("RecordCutOff") && (
          <button
            type="button"
            class="quiet"
            onClick={() =>
              void console.done("RecordCutOff", t("recorded"), { player: session }).then((went) => went && close())
            }
          >
            {t("act_RecordCutOff")}
          </button>
        )}
      </div>
    </>
  );
}
