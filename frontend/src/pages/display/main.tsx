/** The wall: phase, clock, dice, the lit felt, limits and the past, read from five metres away. */
import "../../styles/display.css";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import commonEn from "../../i18n/en/common.json";
import displayEn from "../../i18n/en/display.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import displayHans from "../../i18n/zh-Hans/display.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import displayHant from "../../i18n/zh-Hant/display.json";
import { tell, warn } from "../../lib/announce.ts";
import { type Facts, type Key, type Language, language, named, t } from "../../lib/i18n.ts";
import { askedTable, startPage } from "../../lib/page.ts";
import { callOf, callWords, hasParity } from "../../lib/phase.ts";
import { counts, type Stream, type TripleStyle } from "../../lib/roads.ts";
import type { PageData } from "../../lib/types.ts";
import { Dice, Sprite } from "../../ui/dice.tsx";
import { Felt, litBoxes } from "../../ui/felt.tsx";
import { GameName } from "../../ui/game-name.tsx";
import { Clock, phaseWords } from "../../ui/phase.tsx";
import { ResultList } from "../../ui/results.tsx";
import { BeadPlate, BigRoadPicture, DerivedRoadPicture } from "../../ui/roads.tsx";
import { RulesNote } from "../../ui/rules-note.tsx";
import { ruleWords, Sign } from "../../ui/sign.tsx";
import { Throw } from "../../ui/throw.tsx";
import { LiveVideo } from "../../ui/video.tsx";
import { Display } from "./model.ts";

/** A wall speaks to everyone: its language large, the other of the pair small beside it. */
const other = (): Language => (language.value === "en" ? "zh-Hant" : "en");

function Both({ say, facts = {} }: { say: Key; facts?: Facts }) {
  return (
    <>
      {t(say, facts)}{" "}
      <span class="second" lang={other()}>
        {t(say, facts, other())}
      </span>
    </>
  );
}

function Head({ display }: { display: Display }) {
  const table = display.table.value!;
  return (
    <header class="head">
      <h1>
        <GameName /> <span class="latin">{table.rulebook.startsWith("tai-sai") ? "Tai Sai" : "Sic Bo"}</span>
      </h1>
      <p class="title">{named(table.titles)}</p>
      {table.play_money && (
        <strong class="play-money">
          <Both say="play_money" />
        </strong>
      )}
      <RulesNote table={table} second={other()} />
      <Sign table={table} second={other()} />
    </header>
  );
}

function Stage({ display }: { display: Display }) {
  const [round, mood] = [display.round.value, display.mood.value];
  const words = phaseWords(round, mood);
  const dice = mood === "result" || mood === "held" ? round?.dice : null;
  const call = dice ? callOf(dice) : null;
  useEffect(() => {
    if (mood === "shut" || mood === "last") warn(words.head);
    else tell(dice ? callWords(dice).whole : words.head);
  }, [mood, round?.number]);
  const open = mood === "open" || mood === "last";
  return (
    <section class="stage" data-mood={mood} aria-label={t("phase")}>
      {display.table.value?.video && <LiveVideo url={display.table.value.video} />}
      <p class="round-number">{round && <Both say="round_number" facts={{ n: round.number }} />}</p>
      {dice && call ? (
        <div class="outcome" key="outcome">
          <Dice faces={dice} label={callWords(dice).whole} />
          <p class="total">{call.total}</p>
          <p class="kinds">
            {call.triple ? (
              <Both say="kind_triple" />
            ) : (
              <>
                {call.size && (
                  <b>
                    <Both say={`kind_${call.size}`} />
                  </b>
                )}
                {call.parity && hasParity(display.felt.value?.boxes ?? []) && (
                  <b>
                    <Both say={`kind_${call.parity}`} />
                  </b>
                )}
              </>
            )}
          </p>
        </div>
      ) : (
        <div class="wait" key={open ? "clock" : "throw"}>
          {open ? (
            <Clock left={display.deadline.left} share={display.deadline.share} />
          ) : (
            <Throw round={display.round} table={display.table} reveal={display.reveal} />
          )}
          <p class="phase">
            <strong>{words.head}</strong>
            <span class="second" lang={other()}>
              {phaseWords(round, mood, other()).head}
            </span>
          </p>
          {words.more && (
            <p class="more">
              {words.more}
              <span class="second" lang={other()}>
                {phaseWords(round, mood, other()).more}
              </span>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** How many columns have the bead plate and the big road, so that a bead is as large on each kind of wall. */
const WIDTHS = { standing: [12, 20], two: [8, 15], one: [16, 30] } as const;

function useMatch(media: string): boolean {
  const query = useMemo(() => matchMedia(media), []);
  const matches = useSignal(query.matches);
  useEffect(() => {
    const change = () => (matches.value = query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return matches.value;
}

function Roads({ display, triples, derived }: { display: Display; triples: TripleStyle; derived: boolean }) {
  const results = display.history.value;
  const parity = hasParity(display.felt.value?.boxes ?? []);
  const [wide, lying] = [useMatch("(min-width: 1000px)"), useMatch("(orientation: landscape)")];
  const [beads, columns] = WIDTHS[wide && !lying ? "standing" : wide && !parity ? "one" : "two"];
  const found = counts(results);
  const streams: readonly Stream[] = parity ? ["big-small", "odd-even"] : ["big-small"];
  return (
    <section class="roads" data-streams={streams.length} aria-label={t("past_results")}>
      {streams.map((stream) => (
        <div class="road-block">
          <h2>
            <Both say={`stream_${stream.replace("-", "_")}` as Key} />
          </h2>
          <div class="road-pair">
            <BeadPlate results={results} stream={stream} columns={beads} />
            <BigRoadPicture results={results} stream={stream} columns={columns} triples={triples} />
          </div>
        </div>
      ))}
      {derived && (
        <div class="derived-roads">
          {([1, 2, 3] as const).map((k) => (
            <div>
              <h2>
                <Both say={`derived_${k}`} />
              </h2>
              <DerivedRoadPicture results={results} stream="big-small" columns={34} k={k} />
            </div>
          ))}
        </div>
      )}
      <p class="tally">
        <Both say={parity ? "tally_all" : "tally"} facts={found} />
      </p>
    </section>
  );
}

/** What can be read at five metres from a wall of 1.2 m: 16 pixels of 1080, in the felt's own units. */
const WALL_LEAST = 24;

function Wall({ display }: { display: Display }) {
  const show = useMemo(() => litBoxes(display.winners), [display]);
  const asked = new URLSearchParams(location.search);
  const triples: TripleStyle = asked.get("triples") === "column" ? "column" : "mark";
  return (
    <div class="wall" data-mood={display.mood}>
      <Sprite />
      <Head display={display} />
      <Stage display={display} />
      {/* On a small screen a wall scrolls, and it has nothing else that a keyboard could reach. */}
      <main class="room" tabIndex={0}>
        <Felt felt={display.felt.value!} show={show} always least={WALL_LEAST} />
      </main>
      <section class="latest" aria-label={t("last_results")}>
        <h2>
          <Both say="last_results" />
        </h2>
        <Latest display={display} />
      </section>
      <Roads display={display} triples={triples} derived={asked.has("derived")} />
      <footer class="fine">
        <p>
          <Both say="past_is_past" />
        </p>
        <p>
          <Rule display={display} rule={hasParity(display.felt.value!.boxes) ? "triples" : "triples_big"} />
        </p>
        <p>
          <Rule display={display} rule="dice_decide" />
        </p>
      </footer>
      <Lost display={display} />
    </div>
  );
}

/** A rule with its clause, in both languages. */
const Rule = ({ display, rule }: { display: Display; rule: Parameters<typeof ruleWords>[1] }) => (
  <>
    {ruleWords(display.table.value!, rule)}{" "}
    <span class="second" lang={other()}>
      {ruleWords(display.table.value!, rule, other())}
    </span>
  </>
);

const LATEST = 10;
/** A corrected result says so on a second line: it takes the room of two, and one more may stay empty above it. */
function Latest({ display }: { display: Display }) {
  const results = display.history.value;
  const corrected = results.slice(-LATEST).filter((one) => one.corrected).length;
  return <ResultList results={results} count={LATEST - corrected - Math.min(corrected, 1)} />;
}

function Lost({ display }: { display: Display }) {
  const link = display.link.value;
  if (link === "live" || link === "slow") return null;
  return (
    <p class="lost" role="status">
      <Both say={`link_${link.replaceAll("-", "_")}` as Key} />
    </p>
  );
}

function Page({ data }: { data: PageData }) {
  const display = useMemo(() => new Display(askedTable(data)), []);
  useEffect(() => display.start(), [display]);
  if (!display.table.value || !display.felt.value) {
    return (
      <div class="wall waiting">
        <p>{t(`link_${display.link.value.replaceAll("-", "_")}` as Key)}</p>
      </div>
    );
  }
  return <Wall display={display} />;
}

startPage(
  {
    en: { ...commonEn, ...displayEn },
    "zh-Hant": { ...commonHant, ...displayHant },
    "zh-Hans": { ...commonHans, ...displayHans },
  },
  (data) => <Page data={data} />,
);
