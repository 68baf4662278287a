/** The dialogs of the terminal, one at a time. */
import { type Signal, useSignal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import { helpLine } from "../../lib/page.ts";
import { total } from "../../lib/slip.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Act, type PanelName } from "./dock.tsx";
import { HowToPlay } from "./how-to-play.tsx";
import type { Terminal } from "./model.ts";
import { OwnLimitsPanel } from "./own-limits.tsx";
import { Recall } from "./recall.tsx";
import { RulesPanel } from "./rules.tsx";
import { easyMode, savedSlips } from "./seat.ts";
import { Settings } from "./settings.tsx";
import { SessionClock } from "./side.tsx";
import { Statistics } from "./statistics.tsx";
import { TicketPanel } from "./ticket.tsx";

/** Where help is found, wherever money goes in or out. */
const Help = () => (helpLine() ? <p class="small help-line">{helpLine()}</p> : null);

interface PanelProps {
  readonly terminal: Terminal;
  readonly panel: Signal<PanelName | null>;
  /** Which step of the tour is shown; none below zero. */
  readonly tour: Signal<number>;
}

export function Panels({ terminal, panel, tour }: PanelProps) {
  const close = () => (panel.value = null);
  if (terminal.ticket.value) return <TicketPanel terminal={terminal} ticket={terminal.ticket.value} />;
  if (terminal.checkDue.value) return <RealityCheck terminal={terminal} panel={panel} tour={tour} />;
  switch (panel.value) {
    case "rules":
      return (
        <Dialog name="rules" title={t("rules_and_odds")} close={close} wide>
          <RulesPanel terminal={terminal} />
        </Dialog>
      );
    case "recall":
      return (
        <Dialog name="recall" title={t("recall")} close={close} wide>
          <Recall terminal={terminal} />
        </Dialog>
      );
    case "how":
      return (
        <Dialog name="how" title={t("how_to_play")} close={close} wide>
          <HowToPlay
            terminal={terminal}
            rules={() => (panel.value = "rules")}
            tour={() => {
              close();
              tour.value = 0;
            }}
          />
        </Dialog>
      );
    case "statistics":
      return (
        <Dialog name="statistics" title={t("statistics")} close={close} drawer>
          <Statistics terminal={terminal} />
        </Dialog>
      );
    case "buy-in":
      return (
        <Dialog name="buy-in" title={t("buy_in")} close={close}>
          <BuyIn terminal={terminal} close={close} />
        </Dialog>
      );
    case "cash-out":
      return (
        <Dialog name="cash-out" title={t("cash_out")} close={close}>
          <CashOut terminal={terminal} close={close} />
        </Dialog>
      );
    case "settings":
      return (
        <Dialog name="settings" title={t("settings")} close={close}>
          <Settings terminal={terminal} limits={() => (panel.value = "limits")} />
        </Dialog>
      );
    case "limits":
      return (
        <Dialog name="limits" title={t("own_limits")} close={close}>
          <OwnLimitsPanel terminal={terminal} close={close} />
        </Dialog>
      );
    case "saved":
      return (
        <Dialog name="saved" title={t("saved")} close={close}>
          <Saved terminal={terminal} close={close} />
        </Dialog>
      );
    case "more":
      return (
        <Dialog name="more" title={t("more")} close={close}>
          <More terminal={terminal} panel={panel} tour={tour} />
        </Dialog>
      );
    default:
      return null;
  }
}

const AMOUNTS = [20, 50, 100, 500, 1_000, 5_000];

/** A terminal that owes says so before it takes a note or a ticket, and before it is asked for one. */
function Debt({ terminal }: { terminal: Terminal }) {
  const owed = terminal.session.value?.owed ?? 0;
  return owed ? (
    <p class="debt" role="alert">
      {t("you_owe_line", { amount: terminal.money(owed) })}
    </p>
  ) : null;
}

function BuyIn({ terminal, close }: { terminal: Terminal; close: () => void }) {
  const number = useSignal("");
  const table = terminal.table.value;
  if (!table) return null;
  const scale = 10 ** table.currency_exponent;
  const least = table.limits.default.minimum;
  const put = (amount: number) => {
    terminal.buyIn(amount);
    close();
  };
  return (
    <>
      <Debt terminal={terminal} />
      {table.play_money ? (
        <>
          <p>{t("buy_in_play_money")}</p>
          <div class="amounts">
            {AMOUNTS.map((major) => major * scale)
              .filter((amount) => amount >= least)
              .map((amount) => (
                <button type="button" class="solid" onClick={() => put(amount)}>
                  {terminal.money(amount)}
                </button>
              ))}
          </div>
        </>
      ) : (
        <p>{t("buy_in_notes")}</p>
      )}
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (!number.value.trim()) return;
          terminal.ticketIn(number.value.replace(/[\s-]/g, ""));
          close();
        }}
      >
        <label for="ticket-number">{t("ticket_number")}</label>
        <input
          id="ticket-number"
          inputMode="numeric"
          autoComplete="off"
          value={number}
          onInput={(event) => (number.value = event.currentTarget.value)}
        />
        <button type="submit" class="solid">
          {t("put_ticket_in")}
        </button>
      </form>
      <Help />
    </>
  );
}

function CashOut({ terminal, close }: { terminal: Terminal; close: () => void }) {
  const session = terminal.session.value;
  return (
    <>
      <Debt terminal={terminal} />
      <p>{t("cash_out_all")}</p>
      <p class="big-money">{terminal.money(session?.credit ?? 0)}</p>
      <div class="choice">
        <button type="button" class="quiet" onClick={close}>
          {t("keep_playing")}
        </button>
        <button
          type="button"
          class="solid"
          onClick={() => {
            terminal.cashOut();
            close();
          }}
        >
          {t("print_ticket")}
        </button>
      </div>
      <Help />
    </>
  );
}

function Saved({ terminal, close }: { terminal: Terminal; close: () => void }) {
  const felt = terminal.felt.value;
  const here = savedSlips.value.filter((one) => one.payTable === felt?.pay_table);
  const empty = !Object.keys(terminal.slip.value.wanted).length;
  return (
    <>
      <p>{t("saved_hint")}</p>
      <ul class="saved">
        {here.map((one) => (
          <li>
            <button
              type="button"
              class="solid"
              aria-disabled={!terminal.takesBets.value}
              onClick={() => {
                terminal.act({ do: "apply", slip: one.slip });
                close();
              }}
            >
              <b>{terminal.money(total(one.slip))}</b>
              <span>{Object.keys(one.slip).map(terminal.boxName).join(t("list_comma"))}</span>
            </button>
            <button
              type="button"
              class="quiet square"
              aria-label={t("forget_slip")}
              onClick={() => (savedSlips.value = savedSlips.value.filter((other) => other !== one))}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="solid" aria-disabled={empty} onClick={() => !empty && terminal.saveSlip()}>
        {t("save_this_slip")}
      </button>
    </>
  );
}

function More({ terminal, panel }: PanelProps) {
  const go = (to: PanelName) => () => (panel.value = to);
  return (
    <div class="menu">
      <Act icon="save" label={t("saved")} run={go("saved")} />
      <Act icon="history" label={t("recall")} run={go("recall")} />
      <Act icon="info" label={t("rules_and_odds")} run={go("rules")} />
      <Act icon="roads" label={t("statistics")} run={go("statistics")} />
      <Act icon="book" label={t("how_to_play")} run={go("how")} />
      <Act icon="easy" label={t("easy_mode")} pressed={easyMode.value} run={() => (easyMode.value = !easyMode.value)} />
      <Act
        icon="bell"
        label={t("attendant")}
        pressed={terminal.device.attendant.value}
        run={terminal.device.callAttendant}
      />
      <Act icon="check" label={t("own_limits")} run={go("limits")} />
      <Act icon="gear" label={t("settings")} run={go("settings")} />
    </div>
  );
}

/** Time, stakes and net, to be answered before the next bet. */
function RealityCheck({ terminal, panel }: PanelProps) {
  const session = terminal.session.value;
  if (!session) return null;
  return (
    <Dialog name="reality-check" title={t("reality_check")}>
      <dl class="check">
        <dt>{t("you_have_played")}</dt>
        <dd>
          <SessionClock terminal={terminal} />
        </dd>
        <dt>{t("staked_session")}</dt>
        <dd>{terminal.money(session.wagered)}</dd>
        <dt>{t("net_position")}</dt>
        <dd data-sign={Math.sign(session.net)}>{terminal.net(session.net)}</dd>
      </dl>
      <p>{t("reality_check_text")}</p>
      <Help />
      <div class="choice">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            terminal.continuePlay();
            panel.value = "cash-out";
          }}
        >
          {t("stop_playing")}
        </button>
        <button type="button" class="solid" onClick={terminal.continuePlay}>
          {t("keep_playing")}
        </button>
      </div>
    </Dialog>
  );
}
