/** The auditor's page: find a round, see it again, verify the whole record, take it away. */
import "../../styles/audit.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import approvalsEn from "../../i18n/en/approvals.json";
import auditEn from "../../i18n/en/audit.json";
import commonEn from "../../i18n/en/common.json";
import roundsEn from "../../i18n/en/rounds.json";
import staffEn from "../../i18n/en/staff.json";
import approvalsHans from "../../i18n/zh-Hans/approvals.json";
import auditHans from "../../i18n/zh-Hans/audit.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import roundsHans from "../../i18n/zh-Hans/rounds.json";
import staffHans from "../../i18n/zh-Hans/staff.json";
import approvalsHant from "../../i18n/zh-Hant/approvals.json";
import auditHant from "../../i18n/zh-Hant/audit.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import roundsHant from "../../i18n/zh-Hant/rounds.json";
import staffHant from "../../i18n/zh-Hant/staff.json";
import { has, t } from "../../lib/i18n.ts";
import { startPage } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { Icon } from "../../ui/icon.tsx";
import { ApprovalList, concerning, useApprovals } from "../../ui/staff/approvals.tsx";
import { Bar, StaffPage } from "../../ui/staff/frame.tsx";
import { Inspector, rulesOf } from "../../ui/staff/inspector.tsx";
import { figure } from "../../ui/staff/numbers.ts";
import { cash } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { begin, chosen, payTables, report, table, verify, verifying } from "./model.ts";
import { Registers } from "./registers.tsx";
import { Results, Search } from "./search.tsx";

function Findings({ of }: { of: Readonly<Record<string, number>> }) {
  return (
    <dl class="findings">
      {Object.entries(of).map(([key, value]) => {
        const name = `found_${key}`;
        return (
          <div>
            <dt>{has(name) ? t(name) : key}</dt>
            <dd>{key.endsWith("_minor") ? cash(value) : figure(value)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** A sentence by its code in the page's language; what has none is told as the house told it. */
function told(kind: string, code: string, facts: Readonly<Record<string, string | number>>, plain: string): string {
  const name = `${kind}_${code}`;
  const said = typeof facts["amount"] === "number" ? { ...facts, amount: cash(facts["amount"]) } : facts;
  return has(name) ? t(name, said) : plain;
}

function Verify() {
  return (
    <section class="card verify" aria-labelledby="verify-head">
      <h2 id="verify-head">
        <Icon name="shield" /> {t("verify_record")}
      </h2>
      <p class="small">{t("verify_text")}</p>
      <div class="verify-acts">
        <button type="button" class="solid" aria-disabled={verifying} onClick={() => void verify()}>
          {verifying.value ? t("verify_running") : t("verify_now")}
        </button>
        <a class="quiet tool" href="/api/v1/audit/export" download="taisai-record.jsonl">
          <Icon name="save_file" />
          <span>{t("export_record")}</span>
        </a>
      </div>
    </section>
  );
}

/** What the check found: across the page, so that the search stays in view below it. */
function Verdict() {
  const made = report.value;
  if (!made) return null;
  return (
    <div class="verdict" data-sound={made.sound} role="status">
      <p class="verdict-word">
        <Icon name={made.sound ? "check" : "alarm"} />
        {t(made.sound ? "record_sound" : "record_broken")}
        <small class="small">{dateTime(made.at)}</small>
      </p>
      {!made.sound && (
        <p>
          <b>{made.where}</b>: {told("fault", made.code ?? "", made.facts, made.fault ?? "")}
        </p>
      )}
      {made.notes.length > 0 && (
        <>
          <h3>{t("verify_notes")}</h3>
          <ul class="notes small">
            {made.notes.map((note) => (
              <li>{told("note", note.code, note.facts, note.text)}</li>
            ))}
          </ul>
        </>
      )}
      <h3>{t("verify_keys")}</h3>
      <ul class="notes small">
        {made.keys.map((one) => (
          <li>{t("verify_key_from", { key: one.key, where: one.where })}</li>
        ))}
      </ul>
      {made.sound && (
        <div class="verdict-parts">
          <section>
            <h3>{t("record_checked")}</h3>
            <Findings of={made.record} />
          </section>
          <section>
            <h3>{t("settlements_again")}</h3>
            <Findings of={made.rounds} />
          </section>
          <section>
            <h3>{t("tickets_followed")}</h3>
            <Findings of={made.tickets} />
          </section>
        </div>
      )}
    </div>
  );
}

function SheetLinks({ of, inPlay = false }: { of: readonly string[]; inPlay?: boolean }) {
  return (
    <ul class="par">
      {of.map((one) => (
        <li>
          <a class="quiet tool" href={`/api/v1/par/${one}.html`} target="_blank" rel="noopener">
            {one}
            {inPlay && (
              <small class="tag" data-good="true">
                {t("par_in_play")}
              </small>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** A PAR sheet of every pay table of the rulebooks that are played here; those in play first. */
function Sheets() {
  const all = useSignal<readonly string[]>([]);
  const played = payTables.value;
  useEffect(() => {
    const books = [...new Set(played.map((one) => one.split("/")[0]!))];
    Promise.all(books.map(rulesOf)).then(
      (found) => (all.value = found.flatMap((rules) => rules.pay_tables)),
      () => (all.value = played),
    );
  }, [played.join()]);
  return (
    <section class="card" aria-labelledby="par-head">
      <h2 id="par-head">{t("par_sheets")}</h2>
      <p class="small">{t("par_text")}</p>
      <SheetLinks of={all.value.filter((one) => played.includes(one))} inPlay />
      {all.value.length > played.length && (
        <details>
          <summary>{t("par_others")}</summary>
          <SheetLinks of={all.value.filter((one) => !played.includes(one))} />
        </details>
      )}
    </section>
  );
}

/** Changes of the staff list that wait for an auditor or a casino manager. */
function Waiting() {
  useApprovals();
  if (!concerning.value.length) return null;
  return (
    <section class="card" aria-labelledby="waiting-head">
      <h2 id="waiting-head">{t("waits_for_second")}</h2>
      <ApprovalList />
    </section>
  );
}

function Audit() {
  useEffect(() => void begin(), []);
  return (
    <>
      <Bar page="audit" />
      <main class="audit">
        <div class="audit-first">
          <Verify />
          <Sheets />
          <Verdict />
          <Waiting />
        </div>
        <section class="card audit-side" aria-labelledby="search-head">
          <h2 id="search-head">
            <Icon name="search" /> {t("search_rounds")}
          </h2>
          <Search />
          <Results />
        </section>
        <section class="card told" aria-labelledby="told-head">
          <h2 id="told-head">
            {chosen.value === null ? t("audit_round") : `${table.value} · ${t("round_number", { n: chosen.value })}`}
          </h2>
          {chosen.value === null ? (
            <p class="small">{t("round_choose")}</p>
          ) : (
            <Inspector table={table.value} number={chosen.value} />
          )}
        </section>
        <Registers />
      </main>
    </>
  );
}

const Page = ({ data }: { data: PageData }) => (
  <StaffPage data={data} page="audit">
    {() => <Audit />}
  </StaffPage>
);

startPage(
  {
    en: { ...commonEn, ...staffEn, ...approvalsEn, ...roundsEn, ...auditEn },
    "zh-Hant": { ...commonHant, ...staffHant, ...approvalsHant, ...roundsHant, ...auditHant },
    "zh-Hans": { ...commonHans, ...staffHans, ...approvalsHans, ...roundsHans, ...auditHans },
  },
  (data) => <Page data={data} />,
);
