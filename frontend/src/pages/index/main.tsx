/** The front door: every page of the house with its address. */
import "../../styles/index.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import commonEn from "../../i18n/en/common.json";
import indexEn from "../../i18n/en/index.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import indexHans from "../../i18n/zh-Hans/index.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import indexHant from "../../i18n/zh-Hant/index.json";
import { call } from "../../lib/api.ts";
import { type Key, named, onward, t } from "../../lib/i18n.ts";
import { helpLine, houseName, startPage } from "../../lib/page.ts";
import { moodOf } from "../../lib/phase.ts";
import type { PageData, TableView } from "../../lib/types.ts";
import { Sprite } from "../../ui/dice.tsx";
import { GameName } from "../../ui/game-name.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Languages } from "../../ui/languages.tsx";
import { ResultList } from "../../ui/results.tsx";
import { spanWords } from "../../ui/sign.tsx";
import { Svg } from "../../ui/staff/svg.tsx";

const LOOK_EVERY = 3_000;
/** A line without words: the first terminal to come moves nothing. */
const NO_BREAK = "\u00a0";

interface Door {
  readonly name: Key;
  readonly hint: Key;
  readonly href: string;
  readonly icon: IconName;
}

const STAFF: readonly Door[] = [
  { name: "door_pit", hint: "door_pit_hint", href: "/pit", icon: "roads" },
  { name: "door_cashier", hint: "door_cashier_hint", href: "/cashier", icon: "cash" },
  { name: "door_audit", hint: "door_audit_hint", href: "/audit", icon: "shield" },
  { name: "door_admin", hint: "door_admin_hint", href: "/admin", icon: "gear" },
  { name: "door_docs", hint: "door_docs_hint", href: "/docs", icon: "info" },
];

function doorsOf(table: TableView): Door[] {
  const at = `?table=${encodeURIComponent(table.name)}`;
  const terminal: Door = { name: "door_terminal", hint: "door_terminal_hint", href: `/terminal${at}`, icon: "easy" };
  return [
    ...(table.kind === "cluster" ? [terminal] : []),
    { name: "door_console", hint: "door_console_hint", href: `/console${at}`, icon: "screen" },
    { name: "door_display", hint: "door_display_hint", href: `/display${at}`, icon: "history" },
  ];
}

function DoorLink({ door, about }: { door: Door; about?: string }) {
  return (
    <a class="doorway" href={onward(door.href)} {...(about ? { "aria-label": `${t(door.name)}, ${about}` } : {})}>
      <Icon name={door.icon} />
      <span>
        <b>{t(door.name)}</b>
        <small>{t(door.hint)}</small>
      </span>
      <Icon name="next" />
    </a>
  );
}

/** What this is in two lines, and the shortest way into the game. */
function PlayNow({ data }: { data: PageData }) {
  return (
    <section class="play-now" aria-labelledby="play-head">
      <div>
        <h2 id="play-head">{t("index_what")}</h2>
        <p>{t("index_what_more")}</p>
        {data.practice && (
          <a class="solid" href={onward("/terminal?table=practice")}>
            <Icon name="dice" /> {t("index_play_now")}
          </a>
        )}
        {data.practice && <p class="small">{t("index_play_hint")}</p>}
      </div>
      {data.phone ? (
        <figure class="phone">
          <Svg svg={data.phone_qr} label={t("index_phone_code", { address: data.phone })} />
          <figcaption>
            {t("index_phone")} <b>{data.phone}</b>
          </figcaption>
        </figure>
      ) : (
        <NoPhoneYet />
      )}
    </section>
  );
}

/** The option stays in one piece, to be read and copied. */
function NoPhoneYet() {
  const [before, after] = t("index_phone_none").split("{option}");
  return (
    <p class="phone small">
      <span>
        {before}
        <code>--host 0.0.0.0</code>
        {after}
      </span>
    </p>
  );
}

function TableDoors({ table }: { table: TableView }) {
  const inTime =
    table.round?.phase === "betting" && (table.round.closes_at === null || Date.now() < table.round.closes_at);
  const mood = moodOf(table.round, inTime, null, 5, table.closed);
  return (
    <article class="house-table" aria-labelledby={`at-${table.name}`}>
      <header>
        <h2 id={`at-${table.name}`}>{named(table.titles)}</h2>
        <span class="where">
          {table.name} · {table.pay_table}
        </span>
      </header>
      <div class="table-now">
        <p>
          {spanWords(table, table.limits.default)}
          <small>{table.terminals ? t("index_terminals", { n: table.terminals }) : NO_BREAK}</small>
        </p>
        <p class="mood" data-mood={mood}>
          {mood === "void" ? t("phase_void") : t(`mood_${mood}` as Key)}
        </p>
      </div>
      <ResultList results={table.history} count={4} />
      <nav aria-label={named(table.titles)}>
        {doorsOf(table).map((door) => (
          <DoorLink door={door} about={named(table.titles)} />
        ))}
      </nav>
    </article>
  );
}

function Index({ data }: { data: PageData }) {
  const tables = useSignal<readonly TableView[]>([]);
  const lost = useSignal(false);
  useEffect(() => {
    const look = () =>
      call<readonly TableView[]>("GET", "/tables").then(
        (found) => {
          tables.value = found;
          lost.value = false;
        },
        () => (lost.value = true), // shown; the next look may bring it back
      );
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="index">
      <Sprite />
      <header class="welcome">
        <p class="seal" aria-hidden="true">
          <GameName />
        </p>
        <div>
          <h1>{houseName(data)}</h1>
          <p>
            {t("index_welcome")} {data.play_money && <strong class="play-money">{t("play_money")}</strong>}
          </p>
        </div>
        <Languages />
      </header>
      <main>
        {lost.value && (
          <p class="lost" role="status">
            {t("link_reconnecting")}
          </p>
        )}
        <PlayNow data={data} />
        <section class="house-tables" aria-label={t("index_tables")}>
          {tables.value.map((table) => (
            <TableDoors key={table.name} table={table} />
          ))}
        </section>
        <section class="staff-doors" aria-labelledby="staff-head">
          <h2 id="staff-head">{t("index_staff")}</h2>
          <nav aria-label={t("index_staff")}>
            {STAFF.map((door) => (
              <DoorLink door={door} />
            ))}
          </nav>
        </section>
      </main>
      <footer class="fine">{helpLine(data) && <p>{helpLine(data)}</p>}</footer>
    </div>
  );
}

startPage(
  {
    en: { ...commonEn, ...indexEn },
    "zh-Hant": { ...commonHant, ...indexHant },
    "zh-Hans": { ...commonHans, ...indexHans },
  },
  (data) => <Index data={data} />,
);
