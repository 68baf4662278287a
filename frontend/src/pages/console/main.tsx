/** The Game Console: the dealer's page. */
import "../../styles/console.css";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import coloursEn from "../../i18n/en/colours.json";
import commonEn from "../../i18n/en/common.json";
import consoleEn from "../../i18n/en/console.json";
import staffEn from "../../i18n/en/staff.json";
import coloursHans from "../../i18n/zh-Hans/colours.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import consoleHans from "../../i18n/zh-Hans/console.json";
import staffHans from "../../i18n/zh-Hans/staff.json";
import coloursHant from "../../i18n/zh-Hant/colours.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import consoleHant from "../../i18n/zh-Hant/console.json";
import staffHant from "../../i18n/zh-Hant/staff.json";
import { type Key, named, t } from "../../lib/i18n.ts";
import { isWriting } from "../../lib/keys.ts";
import { askedTable, startPage } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { useLater } from "../../ui/later.ts";
import { LinkMeter } from "../../ui/link.tsx";
import { RulesNote } from "../../ui/rules-note.tsx";
import { Sign } from "../../ui/sign.tsx";
import { useApprovals } from "../../ui/staff/approvals.tsx";
import { Bar, StaffPage } from "../../ui/staff/frame.tsx";
import { FeltRoom } from "./felt-room.tsx";
import { Console } from "./model.ts";
import type { PanelName } from "./panels.tsx";
import { Alerts, Dealer, Irregularities, Players, Terminals } from "./side.tsx";
import { Stage } from "./stage.tsx";

/** Digits, Backspace and Enter enter dice from wherever the focus is, unless something is being written. */
function useKeypad(console: Console, panel: Signal<PanelName | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (
        panel.value ||
        isWriting(event.target) ||
        document.querySelector("dialog[open]") ||
        console.behalf.player.value
      )
        return;
      const elsewhere =
        event.target instanceof Element &&
        event.target.closest("button, a, summary") &&
        !event.target.closest(".big-button, .dice-pad");
      if (event.key === "Enter" && (elsewhere || event.repeat || console.resting.value || console.busy.value)) return;
      if (console.press(event.key)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [console]);
}

function Veil({ console }: { console: Console }) {
  const state = console.connection.state.value;
  if (state !== "reconnecting" && state !== "out-of-service") return null;
  return (
    <div class="veil" data-state={state === "reconnecting" ? "back" : "out"} role="status">
      <strong>{t(`link_${state.replaceAll("-", "_")}` as Key)}</strong>
      <p>{t("console_cut_off")}</p>
    </div>
  );
}

function Table({ table }: { table: string }) {
  const console = useMemo(() => new Console(table), [table]);
  const panel = useSignal<PanelName | null>(null);
  const later = useLater(() => import("./panels.tsx"), panel);
  useEffect(() => console.start(), [console]);
  useKeypad(console, panel);
  useApprovals();
  const view = console.table.value;
  if (!view || !console.felt.value) {
    return (
      <>
        <Bar page="console" title={table} />
        <p class="waiting">
          {console.connection.ended.value
            ? t("no_such_table", { table })
            : t(`link_${console.connection.state.value.replaceAll("-", "_")}` as Key)}
        </p>
      </>
    );
  }
  return (
    <>
      <Bar
        page="console"
        title={`${view.name} · ${named(view.titles)}`}
        tools={<LinkMeter connection={console.connection} />}
      >
        <p class="bar-limits">
          <span>{view.pay_table}</span>
          <RulesNote table={view} />
        </p>
        <Sign table={view} />
        <Dealer console={console} panel={panel} />
      </Bar>
      <main class="console">
        <Stage console={console} panel={panel} />
        <FeltRoom console={console} />
        <aside class="side" aria-label={t("beside_the_table")}>
          <Alerts console={console} />
          {view.kind === "live" ? (
            <Players console={console} panel={panel} />
          ) : (
            <Terminals console={console} panel={panel} />
          )}
          <Irregularities console={console} panel={panel} />
        </aside>
      </main>
      <Veil console={console} />
      {panel.value && later.value && <later.value.Panels console={console} panel={panel} />}
    </>
  );
}

const Page = ({ data }: { data: PageData }) => (
  <StaffPage data={data} page="console">
    {() => <Table table={askedTable(data)} />}
  </StaffPage>
);

// On this page a bet on the felt is somebody's, not the reader's own.
const words = <T extends { lies_here: string; lies_draft: string }>(own: T) => ({
  bet_registered: own.lies_here,
  bet_pending: own.lies_draft,
});

startPage(
  {
    en: { ...commonEn, ...staffEn, ...consoleEn, ...coloursEn, ...words(consoleEn) },
    "zh-Hant": { ...commonHant, ...staffHant, ...consoleHant, ...coloursHant, ...words(consoleHant) },
    "zh-Hans": { ...commonHans, ...staffHans, ...consoleHans, ...coloursHans, ...words(consoleHans) },
  },
  (data) => <Page data={data} />,
);
