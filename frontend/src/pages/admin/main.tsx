/** The administrator's page: who works here, how the house does, and what it is set to. */
import "../../styles/admin.css";
import { useEffect } from "preact/hooks";
import adminEn from "../../i18n/en/admin.json";
import approvalsEn from "../../i18n/en/approvals.json";
import commonEn from "../../i18n/en/common.json";
import staffEn from "../../i18n/en/staff.json";
import adminHans from "../../i18n/zh-Hans/admin.json";
import approvalsHans from "../../i18n/zh-Hans/approvals.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import staffHans from "../../i18n/zh-Hans/staff.json";
import adminHant from "../../i18n/zh-Hant/admin.json";
import approvalsHant from "../../i18n/zh-Hant/approvals.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import staffHant from "../../i18n/zh-Hant/staff.json";
import { t } from "../../lib/i18n.ts";
import { startPage } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { ApprovalList, concerning, useApprovals } from "../../ui/staff/approvals.tsx";
import { Bar, StaffPage } from "../../ui/staff/frame.tsx";
import { Health, Settings, Tables, Ties } from "./house.tsx";
import { begin, installation } from "./model.ts";
import { Staff } from "./staff.tsx";

function Admin() {
  useApprovals();
  useEffect(() => void begin(), []);
  const found = installation.value;
  return (
    <>
      <Bar page="admin" />
      <main class="admin">
        {concerning.value.length > 0 && (
          <section class="card whole" aria-labelledby="waiting-head">
            <h2 id="waiting-head">{t("waits_for_second")}</h2>
            <ApprovalList />
          </section>
        )}
        <div>
          <Staff />
          {found && <Tables of={found.tables} />}
        </div>
        <div>
          <Health />
          {found ? <Ties of={found} /> : <p>{t("loading")}</p>}
        </div>
        {found && <Settings of={found.settings} />}
      </main>
    </>
  );
}

const Page = ({ data }: { data: PageData }) => (
  <StaffPage data={data} page="admin">
    {() => <Admin />}
  </StaffPage>
);

startPage(
  {
    en: { ...commonEn, ...staffEn, ...approvalsEn, ...adminEn },
    "zh-Hant": { ...commonHant, ...staffHant, ...approvalsHant, ...adminHant },
    "zh-Hans": { ...commonHans, ...staffHans, ...approvalsHans, ...adminHans },
  },
  (data) => <Page data={data} />,
);
