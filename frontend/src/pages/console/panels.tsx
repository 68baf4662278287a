/** The dialogs of the console, one at a time: each asks for the facts that its act rests on. */
import { type Signal, useSignal } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { type DiceEntry, NO_DICE } from "../../ui/staff/dice-keypad.ts";
import { DiceField } from "../../ui/staff/dice-pad.tsx";
import { ActForm, Choice, Switch, TextField } from "../../ui/staff/fields.tsx";
import { Colours } from "./colours.tsx";
import type { Console } from "./model.ts";
import { HandOver, NewPlayer, PlayerPanel, TerminalPanel } from "./people.tsx";
import { RoundPanel } from "./round-panel.tsx";
import { shortName } from "./side.tsx";

export type PanelName =
  | "void"
  | "interrupt"
  | "correct-result"
  | "correct-bets"
  | "damaged"
  | "display-fault"
  | "ruling"
  | "hand-over"
  | "player"
  | "colours"
  | `player:${string}`
  | `terminal:${string}`;

export interface PanelProps {
  readonly console: Console;
  readonly close: () => void;
}

const TITLES: Readonly<Record<string, Key>> = {
  void: "act_VoidRound",
  interrupt: "act_InterruptRound",
  "correct-result": "act_CorrectResult",
  "correct-bets": "act_CorrectBets",
  damaged: "act_ReportDamagedDice",
  "display-fault": "act_RecordDisplayFault",
  ruling: "act_MakeRuling",
  "hand-over": "hand_over",
  player: "player_new",
  colours: "colour_chips",
};

export interface PanelsProps {
  readonly console: Console;
  readonly panel: Signal<PanelName | null>;
}

export function Panels({ console, panel }: PanelsProps) {
  const name = panel.value;
  const close = () => (panel.value = null);
  if (!name) return null;
  const [kind = "", ...rest] = name.split(":");
  const about = rest.join(":");
  const title = about ? (kind === "player" ? shortName(about, console.name) : about) : t(TITLES[kind]!);
  return (
    <Dialog key={name} name={kind} title={title} close={close}>
      {bodyOf(kind, about, { console, close })}
    </Dialog>
  );
}

function bodyOf(kind: string, about: string, props: PanelProps) {
  switch (kind) {
    case "void":
      return <Void {...props} />;
    case "interrupt":
      return <Interrupt {...props} />;
    case "correct-result":
    case "correct-bets":
    case "damaged":
    case "ruling":
      return <RoundPanel kind={kind} {...props} />;
    case "colours":
      return <Colours {...props} />;
    case "display-fault":
      return <DisplayFault {...props} />;
    case "hand-over":
      return <HandOver {...props} />;
    case "terminal":
      return <TerminalPanel terminal={about} {...props} />;
    default:
      return about ? <PlayerPanel player={about} {...props} /> : <NewPlayer {...props} />;
  }
}

/** The grounds that can have happened: nothing is known of dice that have not tumbled. */
function groundsNow(console: Console): string[] {
  const early = console.table.value?.cover === "open" ? "activated-early" : "exposed-early";
  return console.round.value?.tumbles == null ? [early] : ["too-few-tumbles", "not-flat", early];
}

const groundText = (ground: string): string => t(`ground_${ground.replaceAll("-", "_")}` as Key);

function Void({ console, close }: PanelProps) {
  const grounds = groundsNow(console);
  const [ground, reason] = [useSignal(grounds[0]!), useSignal("")];
  // While bets are open the dealer's word is enough; later it may take two people, and the server says when.
  const alone = console.round.value?.phase === "betting" && !console.view.value?.automatic;
  const run = async () => {
    const fields = { ground: ground.value, reason: reason.value.trim() };
    if (await console.done("VoidRound", t("phase_void"), fields)) close();
  };
  return (
    <ActForm submit={t("void_the_round")} ready={alone || reason.value.trim() !== ""} danger cancel={close} run={run}>
      <p>{t("void_text")}</p>
      <Choice label={t("ground")} of={ground} options={grounds.map((value) => ({ value, text: groundText(value) }))} />
      {!alone && <TextField label={t("reason")} of={reason} />}
      {!alone && <p class="small">{t("void_two")}</p>}
      <p class="small">{t("void_others")}</p>
    </ActForm>
  );
}

function Interrupt({ console, close }: PanelProps) {
  const entry = useSignal<DiceEntry>(NO_DICE);
  const readable = useSignal(true);
  const tumbled = console.round.value?.tumbles != null;
  const run = async () => {
    const fields = { known: entry.value.faces, readable: readable.value };
    if (await console.done("InterruptRound", t("held_interrupted"), fields)) close();
  };
  return (
    <ActForm submit={t("interrupt_do")} ready danger cancel={close} run={run}>
      <p>{t("interrupt_text")}</p>
      {tumbled ? (
        <>
          <DiceField label={t("known_faces")} entry={entry} />
          <Switch label={t("readable_later")} hint={t("readable_hint")} of={readable} />
        </>
      ) : (
        <p class="small">{t("known_none_yet")}</p>
      )}
    </ActForm>
  );
}

function DisplayFault({ console, close }: PanelProps) {
  const [kind, what] = [useSignal<"lamps" | "display">("display"), useSignal("")];
  const run = async () => {
    if (await console.done("RecordDisplayFault", t("recorded"), { kind: kind.value, what: what.value.trim() })) close();
  };
  return (
    <ActForm submit={t("record_it")} ready={what.value.trim() !== ""} cancel={close} run={run}>
      <p>{t("display_fault_text")}</p>
      <Choice
        label={t("what_was_wrong")}
        of={kind}
        options={[
          { value: "display", text: t("the_display") },
          { value: "lamps", text: t("the_lamps") },
        ]}
      />
      <TextField label={t("what_it_showed")} of={what} required />
    </ActForm>
  );
}
