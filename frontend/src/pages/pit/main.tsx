/** The pit: every table at a glance, and what waits for a second person. */
import "../../styles/pit.css";
import { useSignal } from "@preact/signals";
import approvalsEn from "../../i18n/en/approvals.json";
import commonEn from "../../i18n/en/common.json";
import pitEn from "../../i18n/en/pit.json";
import roundsEn from "../../i18n/en/rounds.json";
import staffEn from "../../i18n/en/staff.json";
import approvalsHans from "../../i18n/zh-Hans/approvals.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import pitHans from "../../i18n/zh-Hans/pit.json";
import roundsHans from "../../i18n/zh-Hans/rounds.json";
import staffHans from "../../i18n/zh-Hans/staff.json";
import approvalsHant from "../../i18n/zh-Hant/approvals.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import pitHant from "../../i18n/zh-Hant/pit.json";
import roundsHant from "../../i18n/zh-Hant/rounds.json";
import staffHant from "../../i18n/zh-Hant/staff.json";
import { t } from "../../lib/i18n.ts";
import { startPage } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { Icon } from "../../ui/icon.tsx";
import { useLater } from "../../ui/later.ts";
import { ApprovalList, useApprovals, waitingForMe } from "../../ui/staff/approvals.tsx";
import { Bar, StaffPage } from "../../ui/staff/frame.tsx";
import { cash, netCash } from "../../ui/staff/session.ts";
import { clockTime } from "../../ui/staff/times.ts";
import { Card } from "./card.tsx";
import { alarms, askedRound, day, handle, incidents, lost, staked, tables, useAlarms, usePit, win } from "./model.ts";
import type { PanelName } from "./panels.tsx";

const INCIDENTS_SHOWN = 5;

function Sums() {
  return (
    <dl class="sums">
      <div>
        <dt>{t("bets_on_felt")}</dt>
        <dd>{cash(staked.value)}</dd>
      </div>
      <div>
        <dt>{t("handle")}</dt>
        <dd>{cash(handle.value)}</dd>
      </div>
      <div>
        <dt>{t("win")}</dt>
        <dd data-sign={Math.sign(win.value)}>{netCash(win.value)}</dd>
      </div>
      <div data-alarm={alarms.value > 0}>
        <dt>{t("alarms")}</dt>
        <dd>{alarms.value}</dd>
      </div>
    </dl>
  );
}

/** Shows which day and shift are open; what it is about is said before, since a date alone says little. */
function DayButton({ open }: { open: () => void }) {
  const now = [day.value?.day, day.value?.shift].filter(Boolean).join(" · ");
  return (
    <button
      type="button"
      class="quiet tool"
      aria-label={[t("gaming_day"), now].filter(Boolean).join(": ")}
      onClick={open}
    >
      <Icon name="clock" />
      <span>{now || t("gaming_day")}</span>
    </button>
  );
}

/** Faults of ours that a command met: play went on, and somebody should be told. */
function Incidents() {
  if (!incidents.value.length) return null;
  return (
    <section class="card incidents" aria-labelledby="incidents-head">
      <h2 id="incidents-head">
        {t("incidents")} <b class="count">{incidents.value.length}</b>
      </h2>
      <p class="small">{t("incidents_text")}</p>
      <ul class="bet-lines">
        {incidents.value.slice(0, INCIDENTS_SHOWN).map(({ number, at, desk, act }) => (
          <li key={number}>
            <span>{t("incident_line", { act, desk })}</span>
            <b>{number}</b>
            <time>{clockTime(at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `/pit?table=T1&round=12` shows that round at once. */
function Pit() {
  const panel = useSignal<PanelName | null>(askedRound ? `rounds:${askedRound.table}` : null);
  const later = useLater(() => import("./panels.tsx"), panel);
  usePit();
  useAlarms();
  useApprovals();
  const waiting = waitingForMe.value.length;
  return (
    <>
      <Bar
        page="pit"
        tools={
          <>
            <DayButton open={() => (panel.value = "day")} />
            <button type="button" class="quiet tool" onClick={() => (panel.value = "owed")}>
              <Icon name="cash" />
              <span>{t("owed_register")}</span>
            </button>
          </>
        }
      >
        <Sums />
      </Bar>
      <main class="pit">
        <section class="tables" aria-label={t("tables")}>
          {lost.value && (
            <p class="lost" role="status">
              {t("link_reconnecting")}
            </p>
          )}
          <Incidents />
          {tables.value.map((one) => (
            <Card key={one.table.name} one={one} panel={panel} />
          ))}
        </section>
        <aside class="card approvals" data-some={waiting > 0} aria-labelledby="approvals-head">
          <h2 id="approvals-head">
            {t("two_people")} {waiting > 0 && <b class="count">{waiting}</b>}
          </h2>
          <ApprovalList />
        </aside>
      </main>
      {panel.value && later.value && <later.value.Panels panel={panel} />}
    </>
  );
}

const Page = ({ data }: { data: PageData }) => (
  <StaffPage data={data} page="pit">
    {() => <Pit />}
  </StaffPage>
);

startPage(
  {
    en: { ...commonEn, ...staffEn, ...approvalsEn, ...roundsEn, ...pitEn },
    "zh-Hant": { ...commonHant, ...staffHant, ...approvalsHant, ...roundsHant, ...pitHant },
    "zh-Hans": { ...commonHans, ...staffHans, ...approvalsHans, ...roundsHans, ...pitHans },
  },
  (data) => <Page data={data} />,
);
