/** The middle of the console: what to say, what to do, and one big button for it. */

import type { Signal } from "@preact/signals";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { diceWords } from "../../lib/dice-words.ts";
import { type Key, named, t } from "../../lib/i18n.ts";
import { callWords } from "../../lib/phase.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Dice } from "../../ui/dice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Banner } from "../../ui/phase.tsx";
import { called } from "../../ui/staff/dice-keypad.ts";
import { DicePad, DiceSlots } from "../../ui/staff/dice-pad.tsx";
import { ActForm } from "../../ui/staff/fields.tsx";
import { Closing } from "./closing.tsx";
import type { Console } from "./model.ts";
import type { PanelName } from "./panels.tsx";
import { PayList, Unpaid } from "./pay-list.tsx";

const LEAST_TUMBLES = 3;
const TUMBLES = [1, 2, 3, 4, 5, 6];

interface StageProps {
  readonly console: Console;
  readonly panel: Signal<PanelName | null>;
}

/** What the dealer says aloud now, in the rulebook's own words; the result in the dealer's language. */
function Say({ console }: { console: Console }) {
  const [table, next, dice] = [console.table.value!, console.nextAct.value, console.round.value?.dice];
  const words = next === "StartRound" ? table.say_open : next === "CloseBetting" ? table.say_close : "";
  if (words)
    return (
      <p class="say">
        <span class="small">{t("say_aloud")}</span> <q lang="en">{words}</q>
      </p>
    );
  if (dice && (next === "SettleBets" || next === "ConcludeRound"))
    return (
      <p class="say">
        <span class="small">{t("say_aloud")}</span> <q>{callWords(dice).whole}</q>
      </p>
    );
  const checking = next === "DeclareRoll" && console.dice.value.checking;
  return (
    <p class="say" data-quiet="true">
      {checking ? t("dice_compare") : next ? t(`hint_${next}` as Key) : t("hint_none")}
    </p>
  );
}

interface Asked {
  readonly label: string;
  readonly question: string;
  readonly run: () => Promise<unknown>;
}

/** What voids the round is asked twice. */
function Sure({ label, question, run, asking }: Asked & { asking: Signal<boolean> }) {
  const close = () => (asking.value = false);
  if (!asking.value) return null;
  return (
    <Dialog name="confirm" title={label} close={close}>
      <ActForm
        submit={label}
        ready
        danger
        cancel={close}
        run={async () => {
          await run();
          close();
        }}
      >
        <p>{question}</p>
      </ActForm>
    </Dialog>
  );
}

/** Voids the round: shown as such, and asked twice. */
export function DangerAct(asked: Asked) {
  const asking = useSignal(false);
  return (
    <>
      <button type="button" class="quiet danger-line" onClick={() => (asking.value = true)}>
        {asked.label}
      </button>
      <Sure {...asked} asking={asking} />
    </>
  );
}

function Tumbles({ console }: { console: Console }) {
  const open = console.table.value?.cover === "open";
  return (
    <div class="tumbles">
      <div class="segments" role="radiogroup" aria-label={t("tumble_count")}>
        {TUMBLES.map((count) => (
          <button
            type="button"
            role="radio"
            aria-checked={console.tumbles.value === count}
            tabIndex={console.tumbles.value === count ? 0 : -1}
            data-few={count < LEAST_TUMBLES}
            onClick={() => (console.tumbles.value = count)}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
              if (!step) return;
              event.preventDefault();
              console.tumbles.value = Math.max(1, Math.min(TUMBLES.length, count + step));
              (
                event.currentTarget.parentElement?.children[console.tumbles.value - 1] as HTMLElement | undefined
              )?.focus();
            }}
          >
            {count}
          </button>
        ))}
      </div>
      <p class="small">{t("tumble_hint", { n: LEAST_TUMBLES })}</p>
      {open && (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={console.flat.value}
            onChange={(event) => (console.flat.value = event.currentTarget.checked)}
          />
          <span>{t("all_flat")}</span>
        </label>
      )}
    </div>
  );
}

/** Three dice by keypad; then, sorted, with total and winners, to be confirmed. */
function DiceEntryStage({ console }: { console: Console }) {
  const entry = console.dice.value;
  const { faces, checking } = entry;
  const call = faces.length === 3 ? callWords(faces) : null;
  const winners = console.winners.value.map((box) => named(box.names)).join(t("list_comma"));
  return (
    <div class="dice-stage" data-checking={checking}>
      {checking ? <Dice faces={called(faces)} label={call?.whole ?? ""} /> : <DiceSlots faces={faces} />}
      <p class="dice-call" data-empty={!call}>
        {call ? (
          <>
            <b>{faces.reduce((sum, face) => sum + face, 0)}</b> <span>{call.kinds}</span>
          </>
        ) : (
          t("dice_type")
        )}
      </p>
      {call && (
        <p class="small winners-list" title={winners}>
          {t("told_of", { what: t("winning_boxes", { n: console.winners.value.length }), more: winners })}
        </p>
      )}
      {!checking && <DicePad entry={console.dice} />}
    </div>
  );
}

const COURSE = [
  "StartRound",
  "CloseBetting",
  "CoverTumbler",
  "ActivateTumbler",
  "ExposeDice",
  "DeclareRoll",
  "SettleBets",
  "ConcludeRound",
] as const;

/** The whole course of a round, with what is done and what comes. */
function Course({ console }: { console: Console }) {
  const [next, round] = [console.nextAct.value, console.round.value];
  const steps = COURSE.filter(
    (act) => console.table.value?.cover === "covered" || (act !== "CoverTumbler" && act !== "ExposeDice"),
  );
  const at = steps.findIndex((act) => act === next);
  const begun = round != null && next !== "StartRound" && round.phase !== "concluded" && round.phase !== "void";
  const done = {
    StartRound: begun,
    CloseBetting: begun && round.phase !== "betting",
    CoverTumbler: round?.covered,
    ActivateTumbler: round?.tumbles != null,
  } as Readonly<Record<string, boolean | undefined>>;
  return (
    <ol class="course" aria-label={t("course")}>
      {steps.map((act, place) => {
        const isDone = begun && (place < at || done[act] === true);
        return (
          <li data-done={isDone} data-now={place === at} {...(place === at ? { "aria-current": "step" as const } : {})}>
            <span class="mark">{isDone ? <Icon name="check" /> : place + 1}</span>
            {t(`course_${act}`)}
          </li>
        );
      })}
    </ol>
  );
}

interface Primary {
  readonly label: string;
  readonly key?: string;
  /** What it would do to the round: asked before it is done. */
  readonly question?: string;
  /** Something is open, such as a breach on the screen: a dialog of its own asks what becomes of it. */
  readonly asks?: "closing" | "unpaid" | undefined;
  readonly ready?: boolean;
  readonly run: () => unknown;
}

/** What the big button says and does; null where this person can do nothing now. */
function primaryOf(console: Console, panel: Signal<PanelName | null>): Primary | null {
  const next = console.nextAct.value;
  if (!next || !console.legal.value.has(next)) return null;
  const plain =
    (fields: object = {}) =>
    () =>
      console.act(next, fields);
  switch (next) {
    case "ActivateTumbler": {
      const [tumbles, flat] = [console.tumbles.value, console.flat.value];
      const few = tumbles < LEAST_TUMBLES;
      const label = few
        ? t("tumble_void", { n: tumbles })
        : flat
          ? t("tumble_done", { n: tumbles })
          : t("tumble_not_flat");
      const question = {
        ...(few || !flat
          ? { question: t("void_follows", { ground: t(few ? "ground_too_few_tumbles" : "ground_not_flat") }) }
          : {}),
      };
      return { label, ...question, run: plain({ tumbles, flat }) };
    }
    case "ExposeDice":
      return { label: t("do_ExposeDice"), run: plain({ flat: true }) };
    case "DeclareRoll": {
      const { faces, checking } = console.dice.value;
      const ready = faces.length === 3;
      const label = checking ? t("dice_confirm", { dice: diceWords(faces) }) : t("dice_check");
      return { label, ready, run: () => void console.press("Enter") };
    }
    case "CloseBetting":
      return {
        label: t("do_CloseBetting"),
        asks: console.view.value?.breaches.length ? "closing" : undefined,
        run: plain(),
      };
    case "ConcludeRound":
      return {
        label: t("do_ConcludeRound"),
        asks: console.pay.unpaid.value.length ? "unpaid" : undefined,
        run: plain(),
      };
    case "MakeRuling":
      return { label: t("do_MakeRuling"), run: () => (panel.value = "ruling") };
    default:
      return { label: t(`do_${next}` as Key), run: plain() };
  }
}

/** An automatic game needs nobody until it is held. */
const runsItself = (console: Console): boolean => {
  const round = console.round.value;
  return console.view.value?.automatic === true && !round?.held && round?.phase !== "awaiting-ruling";
};

function BigButton({ console, panel }: StageProps) {
  const button = useRef<HTMLButtonElement>(null);
  const asking = useSignal(false);
  const primary = primaryOf(console, panel);
  const off = !primary || primary.ready === false || console.waits.value;
  const stage = `${console.round.value?.number}/${console.nextAct.value}`;
  useEffect(() => {
    asking.value = false;
    // The next act is under the finger that did the last one, unless somebody works elsewhere.
    const at = document.activeElement;
    if (!at || at === document.body || at.closest(".stage")) button.current?.focus({ preventScroll: true });
  }, [stage]);
  if (primary && runsItself(console))
    return (
      <button type="button" class="quiet by-hand" aria-disabled={off} onClick={() => !off && primary.run()}>
        {t("by_hand", { act: primary.label })}
      </button>
    );
  if (!primary)
    return (
      <p class="nothing-to-do">
        {console.nextAct.value ? t("not_your_act", { act: t(`do_${console.nextAct.value}` as Key) }) : t("hint_none")}
      </p>
    );
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`big-button${primary.question ? " danger" : ""}`}
        data-act={console.nextAct.value}
        aria-disabled={off}
        onClick={() => !off && (primary.question || primary.asks ? (asking.value = true) : primary.run())}
      >
        {primary.label}
      </button>
      {primary.asks === "closing" && <Closing console={console} asking={asking} />}
      {primary.asks === "unpaid" && <Unpaid console={console} asking={asking} />}
      {primary.question && (
        <Sure label={primary.label} question={primary.question} run={async () => primary.run()} asking={asking} />
      )}
    </>
  );
}

interface SideActProps {
  readonly console: Console;
  readonly run: () => unknown;
  readonly children: ComponentChildren;
}

/** A step beside the big button, which waits when that one does. */
function SideAct({ console, run, children }: SideActProps) {
  return (
    <button type="button" class="quiet" aria-disabled={console.waits} onClick={() => !console.waits.value && run()}>
      {children}
    </button>
  );
}

/** Other steps of the ordinary course that are allowed now. */
function Beside({ console }: { console: Console }) {
  const [legal, next, round] = [console.legal.value, console.nextAct.value, console.round.value];
  const acts: ComponentChildren[] = [];
  const betting = round?.phase === "betting" && !round.held;
  if (legal.has("CoverTumbler") && next !== "CoverTumbler")
    acts.push(
      <SideAct console={console} run={() => console.act("CoverTumbler")}>
        {t("do_CoverTumbler")}
      </SideAct>,
    );
  if (legal.has("ActivateTumbler") && next !== "ActivateTumbler" && round?.covered && betting)
    acts.push(
      <SideAct console={console} run={() => console.act("ActivateTumbler", { tumbles: 3 })}>
        {t("tumble_done", { n: 3 })}
      </SideAct>,
    );
  if (legal.has("ExtendBetting"))
    for (const seconds of [15, 30])
      acts.push(
        <SideAct
          console={console}
          run={() => console.done("ExtendBetting", t("extended", { n: seconds }), { seconds })}
        >
          <Icon name="clock" /> {t("extend_by", { n: seconds })}
        </SideAct>,
      );
  if (next === "ExposeDice" && legal.has("ExposeDice"))
    acts.push(
      <DangerAct
        label={t("expose_not_flat")}
        question={t("void_follows", { ground: t("ground_not_flat") })}
        run={() => console.act("ExposeDice", { flat: false })}
      />,
    );
  if (next === "DeclareRoll" && console.dice.value.checking)
    acts.push(
      <button type="button" class="quiet" onClick={() => console.press("Backspace")}>
        <Icon name="undo" /> {t("dice_again")}
      </button>,
    );
  return acts.length ? <div class="beside">{acts}</div> : null;
}

export function Stage({ console, panel }: StageProps) {
  const next = console.nextAct.value;
  const enters =
    (next === "DeclareRoll" || next === "ActivateTumbler") && console.legal.value.has(next) && !runsItself(console);
  const pays = (next === "SettleBets" || next === "ConcludeRound") && Boolean(console.pay.list.value?.players.length);
  const body = enters ? next : pays ? "pay" : "course";
  return (
    <section class="stage" data-mood={console.mood} aria-label={t("next_act")}>
      <Banner
        round={console.round.value}
        mood={console.mood.value}
        left={console.deadline.left}
        share={console.deadline.share}
      />
      {console.view.value?.automatic && (
        <p class="automatic">
          <Icon name="rebet" /> {t("automatic_game")}
        </p>
      )}
      {!runsItself(console) && <Say console={console} />}
      <div class="stage-body">
        {body === "ActivateTumbler" && <Tumbles console={console} />}
        {body === "DeclareRoll" && <DiceEntryStage console={console} />}
        {body === "pay" && <PayList console={console} />}
        {body === "course" && <Course console={console} />}
      </div>
      <Beside console={console} />
      <BigButton console={console} panel={panel} />
    </section>
  );
}
