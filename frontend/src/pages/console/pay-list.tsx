/** Whom to pay what, in which chips; at a table of credits, what went to whose credit. */
import type { Signal } from "@preact/signals";
import type { PayLine, PlayerPay } from "../../http.ts";
import { counted } from "../../lib/change.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { chipFigure, topChip } from "../../lib/money.ts";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ActForm } from "../../ui/staff/fields.tsx";
import { cash, currency } from "../../ui/staff/session.ts";
import type { Console } from "./model.ts";
import { type Change, handed, keyOfRow } from "./pay.ts";

/** Piles of chips, the largest first. */
function Piles({ console, amount }: { console: Console; amount: number }) {
  const chips = console.pay.chips.value;
  const { piles, rest } = counted(amount, chips);
  const said = piles.map(({ chip, count }) => `${count} × ${cash(chip)}`);
  return (
    <span class="piles" role="img" aria-label={said.join(t("list_comma"))}>
      {piles.map(({ chip, count }) => (
        <span class="pile">
          {count}×
          <Chip figure={chipFigure(chip, currency.value)} colour={topChip(chip, chips)} />
        </span>
      ))}
      {rest > 0 && <span class="pile">{cash(rest)}</span>}
    </span>
  );
}

function Line({ console, line }: { console: Console; line: PayLine }) {
  const won = line.odds !== "";
  return (
    <li data-won={won}>
      <span>{console.boxName(line.box)}</span>
      <span>{cash(line.stake)}</span>
      <span>{won ? t("pay_odds", { odds: line.odds }) : line.back ? t("pay_back") : t("pay_lost")}</span>
      <b>{won ? cash(line.pay) : line.back ? cash(line.back) : ""}</b>
    </li>
  );
}

/** Where a player's money goes when it is not handed over. */
function whereTo(console: Console, one: PlayerPay): string {
  if (one.absent === "walked-away" && console.pay.byHand.value) return t("pay_waits");
  const goes = one.pay + one.back - one.withheld;
  return console.pay.byHand.value || !goes ? "" : t("pay_to_credit", { amount: cash(goes) });
}

function Row({ console, one }: { console: Console; one: PlayerPay }) {
  const pay = console.pay;
  const place = pay.due.value.indexOf(one);
  const ticks = pay.byHand.value && place >= 0;
  const paid = ticks && pay.isPaid(one.player);
  const where = whereTo(console, one);
  return (
    <li class="payee" data-paid={paid} data-none={place < 0}>
      <p class="payee-head">
        {ticks && <kbd>{keyOfRow(place)}</kbd>}
        <b class="payee-name">{one.player}</b>
        {one.colour && <small class="tag">{one.colour}</small>}
        <span class="payee-sum">{place >= 0 ? cash(handed(one)) : one.back ? "" : t("pay_nothing")}</span>
        {ticks && (
          <button
            type="button"
            class="tick"
            aria-pressed={paid}
            aria-label={t("pay_tick", { player: one.player, amount: cash(handed(one)) })}
            onClick={() => pay.toggle(one.player)}
          >
            <Icon name="check" />
          </button>
        )}
      </p>
      {ticks && !paid && <Piles console={console} amount={handed(one)} />}
      {!paid && (
        <ul class="pay-lines">
          {one.lines.map((line) => (
            <Line key={line.box} console={console} line={line} />
          ))}
        </ul>
      )}
      {one.withheld > 0 && !paid && <p class="small">{t("pay_withheld", { amount: cash(one.withheld) })}</p>}
      {where && !paid && <p class="small">{where}</p>}
    </li>
  );
}

/** From the declared roll to the end of the round. */
export function PayList({ console }: { console: Console }) {
  const { players, due, unpaid, byHand } = console.pay;
  const total = due.value.reduce((sum, one) => sum + handed(one), 0);
  const head = byHand.value ? "pay_list" : console.nextAct.value === "SettleBets" ? "pay_list_due" : "pay_list_credit";
  return (
    <section class="pay-list" aria-labelledby="pay-head">
      <header>
        <h2 id="pay-head">{t(head)}</h2>
        <span>{due.value.length > 0 && t("pay_total", { amount: cash(total) })}</span>
      </header>
      {!due.value.length && <p class="small">{t("pay_nobody")}</p>}
      <ul>
        {players.value.map((one) => (
          <Row key={one.player} console={console} one={one} />
        ))}
      </ul>
      {byHand.value && due.value.length > 0 && (
        <p class="small" role="status">
          {unpaid.value.length ? t("pay_keys", { n: unpaid.value.length }) : t("pay_all_done")}
        </p>
      )}
    </section>
  );
}

/** Somebody is not ticked off: to conclude all the same is the dealer's decision. */
export function Unpaid({ console, asking }: { console: Console; asking: Signal<boolean> }) {
  const close = () => (asking.value = false);
  if (!asking.value) return null;
  return (
    <Dialog name="unpaid" title={t("do_ConcludeRound")} close={close}>
      <ActForm
        submit={t("pay_conclude")}
        ready
        cancel={close}
        run={async () => {
          await console.act("ConcludeRound");
          close();
        }}
      >
        <p>{t("pay_unpaid")}</p>
        <ul class="breaches">
          {console.pay.unpaid.value.map((one) => (
            <li key={one.player}>
              {one.player}: {cash(handed(one))}
            </li>
          ))}
        </ul>
      </ActForm>
    </Dialog>
  );
}

function changeWords(console: Console, { change }: Change): string {
  const facts = { player: change.player, amount: cash(Math.abs(change.difference)) };
  const way = change.difference < 0 ? "take" : "give";
  return t(`pay_${way}_${console.pay.byHand.value ? "hand" : "credit"}`, facts);
}

/** What a correction or void means for those who had been paid, until somebody has seen to it. */
export function PayChanges({ console }: { console: Console }) {
  return (
    <>
      {console.pay.openChanges.value.map((one) => (
        <li class="alert" data-kind="pay" key={one.key}>
          <Icon name="cash" />
          <p>
            <b>{changeWords(console, one)}</b>{" "}
            <small>
              {t("told_of", { what: t("round_number", { n: one.round }), more: t(`pay_because_${one.act}` as Key) })}
            </small>
          </p>
          <button type="button" class="solid" onClick={() => console.pay.dismiss(one)}>
            {t(console.pay.byHand.value ? "pay_settled" : "pay_seen")}
          </button>
        </li>
      ))}
    </>
  );
}
