/** The Player Terminal. */
import "../../styles/terminal.css";
import "../../styles/terminal-standing.css";
import "../../styles/terminal-result.css";
import "../../styles/terminal-lying.css";
import "../../styles/terminal-help.css";
import "../../styles/terminal-proof.css";
import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import commonEn from "../../i18n/en/common.json";
import terminalEn from "../../i18n/en/terminal.json";
import ticketEn from "../../i18n/en/ticket.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import terminalHans from "../../i18n/zh-Hans/terminal.json";
import ticketHans from "../../i18n/zh-Hans/ticket.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import terminalHant from "../../i18n/zh-Hant/terminal.json";
import ticketHant from "../../i18n/zh-Hant/ticket.json";
import { has, type Key, named, t } from "../../lib/i18n.ts";
import { isWriting, keyAct } from "../../lib/keys.ts";
import { askedTable, startPage } from "../../lib/page.ts";
import { soundOn, wakeSound } from "../../lib/sounds.ts";
import type { PageData } from "../../lib/types.ts";
import { hush } from "../../lib/voice.ts";
import { Sprite } from "../../ui/dice.tsx";
import { Felt, type FeltPlay } from "../../ui/felt.tsx";
import { GameName } from "../../ui/game-name.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Languages } from "../../ui/languages.tsx";
import { useLater } from "../../ui/later.ts";
import { LinkMeter } from "../../ui/link.tsx";
import { Banner } from "../../ui/phase.tsx";
import { RulesNote } from "../../ui/rules-note.tsx";
import { ruleWords } from "../../ui/sign.tsx";
import { Throw } from "../../ui/throw.tsx";
import { LiveVideo } from "../../ui/video.tsx";
import { AskedBox } from "./asked-box.tsx";
import { Dock, type PanelName } from "./dock.tsx";
import { Enrol, enrolled, forget } from "./enrol.tsx";
import { type Credentials, Terminal } from "./model.ts";
import { Commitment, ProofAlarm } from "./proof.tsx";
import { ResultCard } from "./result-card.tsx";
import { easyMode, leftHand, letterKeys, toured } from "./seat.ts";
import { Limits, LookingAt, Meters, Past } from "./side.tsx";

function Top({ terminal, panel }: { terminal: Terminal; panel: Signal<PanelName | null> }) {
  const table = terminal.table.value!;
  return (
    <header class="top">
      <div class="brand">
        <h1>
          <GameName /> <span class="latin">Sic Bo</span>
        </h1>
        <span class="title">
          {named(table.titles)}
          {table.shared && t("shared_table")}
        </span>
        <Limits terminal={terminal} />
        {table.play_money && <strong class="play-money">{t("play_money")}</strong>}
        <RulesNote table={table} />
      </div>
      <Banner
        round={terminal.round.value}
        mood={terminal.mood.value}
        left={terminal.deadline.left}
        share={terminal.deadline.share}
        hint={table.untimed ? t(table.shared ? "no_clock_shared" : "no_clock") : ""}
      />
      <nav class="tools" aria-label={t("tools")}>
        <LinkMeter connection={terminal.connection} />
        <button type="button" class="quiet tool" onClick={() => (panel.value = "how")}>
          <Icon name="book" />
          <span>{t("how_to_play")}</span>
        </button>
        <button type="button" class="quiet tool rules" onClick={() => (panel.value = "rules")}>
          <Icon name="info" />
          <span>{t("rules_and_odds")}</span>
        </button>
        <button type="button" class="quiet tool" onClick={() => (panel.value = "recall")}>
          <Icon name="history" />
          <span>{t("recall")}</span>
        </button>
        <Languages short />
        <button
          type="button"
          class="quiet square"
          aria-pressed={soundOn.value}
          aria-label={t("sound")}
          onClick={() => {
            soundOn.value = !soundOn.value;
            if (!soundOn.value) hush();
            wakeSound();
          }}
        >
          <Icon name={soundOn.value ? "sound" : "mute"} />
        </button>
        <button
          type="button"
          class="quiet square"
          aria-label={t("settings")}
          onClick={() => (panel.value = "settings")}
        >
          <Icon name="gear" />
        </button>
      </nav>
    </header>
  );
}

function endedWords(reason: string): string {
  const key = `ended_${reason.replaceAll("-", "_")}`;
  return has(key) ? t(key) : t("link_ended", { reason });
}

/** Nothing can be bet while the line is down or the device has a fault; what lies registered stands. */
function Veil({ terminal, asked }: { terminal: Terminal; asked: string }) {
  const state = terminal.connection.state.value;
  const service = terminal.device.service.value;
  const ended = terminal.connection.ended.value;
  if (state !== "reconnecting" && state !== "out-of-service" && service === "in-service") return null;
  // Somebody else sits there now: no fault of anything.
  const idled = ended === "practice-over";
  const out = !idled && (state === "out-of-service" || service !== "in-service");
  return (
    <div class="veil" data-state={out ? "out" : "back"} role="status">
      <strong>
        {service !== "in-service" && terminal.online.value
          ? t(`service_${service.replaceAll("-", "_")}` as Key)
          : idled
            ? t("welcome_back")
            : t(`link_${state.replaceAll("-", "_")}` as Key)}
      </strong>
      <p>{ended ? endedWords(ended) : t("registered_bets_stand")}</p>
      {ended && (
        <button
          type="button"
          class="solid"
          onClick={() => {
            if (ended !== "replaced") forget(asked);
            location.reload();
          }}
        >
          {t(ended === "replaced" ? "play_here" : idled ? "practise_again" : "enrol_again")}
        </button>
      )}
    </div>
  );
}

function useShortcuts(terminal: Terminal): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isWriting(event.target) || document.querySelector("dialog[open]")) return;
      const act = keyAct(event, { onFelt: false, letters: letterKeys.value });
      if (!act) return;
      if (act.act === "chip") terminal.choose(act.index);
      else if (act.act !== "move" && act.act !== "remove") terminal.act({ do: act.act });
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [terminal]);
}

/** Whatever is pressed next, anywhere but on the card itself: the result that was still shown has been seen. */
function usePresses(terminal: Terminal): void {
  useEffect(() => {
    const press = (event: Event) => {
      if (!(event.target instanceof Element && event.target.closest(".result-card, .tour"))) terminal.pressed();
    };
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, press, { capture: true, passive: true });
    return () => {
      for (const name of ["pointerdown", "keydown"]) removeEventListener(name, press, { capture: true });
    };
  }, [terminal]);
}

function FeltRoom({ terminal }: { terminal: Terminal }) {
  const play = useMemo<FeltPlay>(
    () => ({
      open: terminal.takesBets,
      add: terminal.add,
      remove: terminal.remove,
      chip: terminal.chipOf,
      spoken: terminal.spoken,
      ask: (box) => (terminal.asked.value = box),
      looking: terminal.looking,
    }),
    [terminal],
  );
  const felt = terminal.felt.value!;
  return (
    <main class="room" data-easy={easyMode.value}>
      <h2 class="unseen">{t("layout")}</h2>
      <Felt felt={felt} show={terminal.boxes.of} play={play} easy={easyMode.value} />
    </main>
  );
}

/** Dialogs, the tour, and chips that move. */
const loadLater = async () => {
  const [{ Panels }, { Payout }, { Tour }] = await Promise.all([
    import("./panels.tsx"),
    import("./payout.tsx"),
    import("./tour.tsx"),
  ]);
  return { Panels, Payout, Tour };
};

function Play({ credentials, asked }: { credentials: Credentials; asked: string }) {
  const terminal = useMemo(() => new Terminal(credentials), [credentials]);
  const panel = useSignal<PanelName | null>(null);
  const tour = useSignal(-1);
  const later = useLater(loadLater, panel);
  useEffect(() => terminal.start(), [terminal]);
  useSignalEffect(() => {
    if (terminal.table.value?.practice && !toured.value && tour.peek() < 0) tour.value = 0;
  });
  useSignalEffect(() => {
    // The house does not know this terminal any more: it has to be made known again.
    if (["unknown-terminal", "wrong-key"].includes(terminal.connection.ended.value)) forget(asked);
  });
  useShortcuts(terminal);
  usePresses(terminal);
  // Bound as signals, so that a change of phase touches these attributes and not the felt.
  const hand = useComputed(() => (leftHand.value ? "left" : "right"));
  const shut = useComputed(() => String(!terminal.takesBets.value));
  if (!terminal.table.value || !terminal.felt.value) {
    return (
      <div class="enrol">
        <p>{t(`link_${terminal.connection.state.value.replaceAll("-", "_")}` as Key)}</p>
        <Veil terminal={terminal} asked={asked} />
      </div>
    );
  }
  return (
    <div class="terminal" data-hand={hand} data-shut={shut} data-mood={terminal.mood}>
      <Sprite />
      <Top terminal={terminal} panel={panel} />
      <FeltRoom terminal={terminal} />
      <Throw round={terminal.round} table={terminal.table} reveal={terminal.reveal} />
      {terminal.table.value.video && <LiveVideo url={terminal.table.value.video} />}
      <ResultCard terminal={terminal} recall={() => (panel.value = "recall")} />
      <aside class="side" aria-label={t("your_session")}>
        <Meters terminal={terminal} />
        <Past terminal={terminal} more={() => (panel.value = "statistics")} />
      </aside>
      <LookingAt terminal={terminal} />
      <AskedBox terminal={terminal} />
      <Dock terminal={terminal} panel={panel} />
      <footer class="fine">
        <span>{ruleWords(terminal.table.value, "dice_decide")}</span>
        <Commitment proving={terminal.proving} />
        <span>{t("terminal_number", { terminal: credentials.terminal })}</span>
      </footer>
      <ProofAlarm proving={terminal.proving} />
      <Veil terminal={terminal} asked={asked} />
      {later.value && <later.value.Payout terminal={terminal} />}
      {later.value && <later.value.Panels terminal={terminal} panel={panel} tour={tour} />}
      {later.value && tour.value >= 0 && <later.value.Tour terminal={terminal} step={tour} />}
    </div>
  );
}

function Page({ data }: { data: PageData }) {
  const asked = askedTable(data);
  const credentials = enrolled.value[asked];
  return credentials ? (
    <Play credentials={credentials} asked={asked} />
  ) : (
    <>
      <Sprite />
      <Enrol data={data} table={asked} />
    </>
  );
}

startPage(
  {
    en: { ...commonEn, ...terminalEn, ...ticketEn },
    "zh-Hant": { ...commonHant, ...terminalHant, ...ticketHant },
    "zh-Hans": { ...commonHans, ...terminalHans, ...ticketHans },
  },
  (data) => <Page data={data} />,
);
