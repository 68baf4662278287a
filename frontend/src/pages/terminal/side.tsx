/** The meters and the recent past: what has to stay in view beside the felt. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { named, t } from "../../lib/i18n.ts";
import { hasParity } from "../../lib/phase.ts";
import { counts } from "../../lib/roads.ts";
import type { BoxView } from "../../lib/types.ts";
import { oddsSpoken } from "../../ui/felt.tsx";
import { ResultList } from "../../ui/results.tsx";
import { BeadPlate, BigRoadPicture } from "../../ui/roads.tsx";
import { signLines, spanWords } from "../../ui/sign.tsx";
import type { Terminal } from "./model.ts";

export function elapsed(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
}

/** Session time, on the server's clock; ticks without waking anything else. */
export function SessionClock({ terminal }: { terminal: Terminal }) {
  const text = useComputed(() => {
    const started = terminal.session.value?.started_at;
    return started === undefined ? "–" : elapsed(Math.max(0, terminal.now.value - Math.floor(started / 1000)));
  });
  return <>{text}</>;
}

/** A phone has room for a short word only; the long one stays for those who hear the page. */
function Term({ long, short }: { long: string; short: string }) {
  return (
    <>
      <span class="long">{long}</span>
      <span class="short" aria-hidden="true">
        {short}
      </span>
    </>
  );
}

/** What is on its way to the house. */
const Pending = ({ amount }: { amount: string }) => (
  <small class="pending">
    <Term long={t("plus_pending", { amount })} short={`+ ${amount}`} />
  </small>
);

export function Meters({ terminal }: { terminal: Terminal }) {
  const session = terminal.session.value;
  const pending = terminal.pending.value;
  const played = terminal.played.value;
  const net = session?.net ?? 0;
  return (
    <dl class="meters">
      <div class="credit">
        <dt>{t("credit")}</dt>
        <dd>{terminal.money(session?.credit ?? 0)}</dd>
      </div>
      {!!session?.owed && (
        <div class="owes">
          <dt>{t("you_owe")}</dt>
          <dd>{terminal.money(session.owed)}</dd>
        </div>
      )}
      <div>
        <dt>{t("staked")}</dt>
        <dd>
          {pending > 0 && <Pending amount={terminal.money(pending)} />} {terminal.money(terminal.staked.value)}
        </dd>
      </div>
      <div>
        <dt>{played ? <Term long={t("this_round")} short={t("short_this_round")} /> : t("last_win")}</dt>
        <dd data-sign={played ? Math.sign(played.returned - played.staked) : 0}>
          {played ? terminal.net(played.returned - played.staked) : terminal.money(session?.last_win ?? 0)}
        </dd>
      </div>
      <div>
        <dt>
          <Term long={t("net_position")} short={t("short_net")} />
        </dt>
        <dd data-sign={Math.sign(net)}>{terminal.net(net)}</dd>
      </div>
      <div>
        <dt>
          <Term long={t("session_time")} short={t("short_time")} />
        </dt>
        <dd class="time">
          <SessionClock terminal={terminal} />
        </dd>
      </div>
    </dl>
  );
}

/** The line that explains the box one points at: odds, limits, and what comes back in the long run. */
export function LookingAt({ terminal }: { terminal: Terminal }) {
  const message = terminal.message.value;
  const box = terminal.felt.value?.boxes.find((one) => one.id === terminal.looking.value);
  const hint = t(terminal.takesBets.value ? "how_to_bet" : terminal.whyShut.value, { source: "" });
  return (
    <section class="line" aria-label={t("about_box")} {...(message ? { "data-kind": "message" } : {})}>
      {message ? terminal.say(message) : box ? <About terminal={terminal} box={box} /> : <span key={hint}>{hint}</span>}
    </section>
  );
}

function About({ terminal, box }: { terminal: Terminal; box: BoxView }) {
  return (
    <>
      <b>{named(box.names)}</b> <span>{oddsSpoken(box.pays)}</span>{" "}
      <span>{spanWords(terminal.table.value!, terminal.limitOf(box.id))}</span>{" "}
      <span class="wide-only">{t("returns_percent", { percent: box.return_percent.toFixed(2) })}</span>
    </>
  );
}

/** Every limit in force, in view (ETG 3.3): one span where all boxes have the same, else one for each line of the sign. */
export function Limits({ terminal }: { terminal: Terminal }) {
  const table = terminal.table.value;
  if (!table) return null;
  const lines = signLines(table);
  if (lines.length === 1) return <span class="limits">{spanWords(table, table.limits.default)}</span>;
  return (
    <ul class="limits many" aria-label={t("sign")} tabIndex={0 /* it scrolls where there is little room */}>
      {lines.map(([name, words]) => (
        <li key={name}>
          {name} <b>{words}</b>
        </li>
      ))}
    </ul>
  );
}

const STANDING = "(min-width: 1000px) and (orientation: portrait)";

/** How many columns of a road fit: the standing terminal is wide there. */
function useColumns(): number {
  const standing = useSignal(matchMedia(STANDING).matches);
  useEffect(() => {
    const query = matchMedia(STANDING);
    const change = () => (standing.value = query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return standing.value ? 36 : 18;
}

export function Past({ terminal, more }: { terminal: Terminal; more: () => void }) {
  const columns = useColumns();
  const results = terminal.history.value;
  const parity = hasParity(terminal.felt.value?.boxes ?? []);
  const found = counts(results);
  return (
    <section class="past" aria-label={t("past_results")} tabIndex={0 /* it scrolls where the window is low */}>
      <header>
        <h2>{t("past_results")}</h2>
        <button type="button" class="quiet" onClick={more}>
          {t("statistics")}
        </button>
      </header>
      <ResultList results={results} count={10} />
      {columns > 18 && <BeadPlate results={results} stream="big-small" columns={columns} />}
      <BigRoadPicture results={results} stream="big-small" columns={columns} triples="mark" />
      {parity && <BigRoadPicture results={results} stream="odd-even" columns={columns} triples="mark" />}
      <p class="tally">{t("tally", { big: found.big, small: found.small, triple: found.triple })}</p>
      <p class="caution">{t("past_is_past")}</p>
    </section>
  );
}
