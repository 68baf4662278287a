/** What takes two people about a round, with its bets read from the record: terminals' too, and after the end. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RoundTimeline } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { note } from "../../ui/staff/notice.tsx";
import { replayed } from "../../ui/staff/replay.ts";
import {
  CorrectBetsForm,
  CorrectResultForm,
  DamagedDiceForm,
  type Doing,
  type PastRound,
  RulingForm,
  setOf,
} from "../../ui/staff/round-acts.tsx";
import { ask, faultOf } from "../../ui/staff/session.ts";
import type { Console } from "./model.ts";
import type { PanelProps } from "./panels.tsx";

/** What a correction can be about: the round in play once it has a result, and the last ones. */
function pastRounds(console: Console): PastRound[] {
  const current = console.round.value;
  const past = [...console.history.value]
    .reverse()
    .filter((one) => one.dice && !one.void && one.round !== current?.number);
  return [...(current?.dice ? [{ round: current.number, dice: current.dice }] : []), ...past].slice(0, 12);
}

export function RoundPanel({ kind, console, close }: PanelProps & { kind: string }) {
  const round = useSignal(console.round.value?.number ?? 0).value;
  const told = useSignal<RoundTimeline | null>(null);
  const wantsBets = kind !== "correct-result";
  useEffect(() => {
    if (!wantsBets) return;
    ask<RoundTimeline>("GET", `/tables/${encodeURIComponent(console.name)}/rounds/${round}`).then(
      (found) => (told.value = found),
      (problem: unknown) => note("refused", faultOf(problem)),
    );
  }, []);
  const act: Doing = (name, done, fields, of) => console.done(name, done, fields, of);
  if (kind === "correct-result") return <CorrectResultForm act={act} close={close} rounds={pastRounds(console)} />;
  if (!told.value) return <p class="small">{t("loading")}</p>;
  if (kind === "damaged") {
    const set = setOf(told.value.events);
    return <DamagedDiceForm act={act} close={close} table={console.name} set={set} from={round} last={round} />;
  }
  const { slips } = replayed(told.value.events, told.value.events.length);
  if (kind === "correct-bets")
    return (
      <CorrectBetsForm act={act} close={close} round={round} boxes={console.felt.value?.boxes ?? []} slips={slips} />
    );
  const bets = Object.entries(slips).flatMap(([player, slip]) =>
    Object.entries(slip).map(([box, stake]) => ({ player, box, stake })),
  );
  const waits = told.value.state === "awaiting-ruling";
  return <RulingForm act={act} close={close} round={round} bets={bets} waits={waits} boxName={console.boxName} />;
}
