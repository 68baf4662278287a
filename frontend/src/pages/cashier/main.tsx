/** The cashier's page. */
import "../../styles/cashier.css";
import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import approvalsEn from "../../i18n/en/approvals.json";
import cashierEn from "../../i18n/en/cashier.json";
import commonEn from "../../i18n/en/common.json";
import staffEn from "../../i18n/en/staff.json";
import ticketEn from "../../i18n/en/ticket.json";
import approvalsHans from "../../i18n/zh-Hans/approvals.json";
import cashierHans from "../../i18n/zh-Hans/cashier.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import staffHans from "../../i18n/zh-Hans/staff.json";
import ticketHans from "../../i18n/zh-Hans/ticket.json";
import approvalsHant from "../../i18n/zh-Hant/approvals.json";
import cashierHant from "../../i18n/zh-Hant/cashier.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import staffHant from "../../i18n/zh-Hant/staff.json";
import ticketHant from "../../i18n/zh-Hant/ticket.json";
import { t } from "../../lib/i18n.ts";
import { startPage } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { ApprovalList, approvals, concerning, useApprovals } from "../../ui/staff/approvals.tsx";
import { Bar, StaffPage } from "../../ui/staff/frame.tsx";
import { OwedCard } from "../../ui/staff/owed.tsx";
import { PaperDialog, Receipt } from "../../ui/staff/paper.tsx";
import { Redeem, Sell } from "./counter.tsx";
import { Drawer } from "./drawer.tsx";
import { Issued } from "./issued.tsx";
import { paper, resume } from "./issuing.ts";
import { followRequests, paid, putAway, readDrawer, receipt } from "./model.ts";
import { Players } from "./players.tsx";
import { Proofs } from "./proofs.tsx";

function Papers() {
  const shown = receipt.value;
  const close = () => {
    receipt.value = null;
    if (paid.value) putAway();
    requestAnimationFrame(() => document.getElementById("ticket-number")?.focus());
  };
  if (shown)
    return (
      <PaperDialog title={shown.title} close={close}>
        <Receipt receipt={shown} />
      </PaperDialog>
    );
  return paper.value && <Issued key={paper.value.issue.key} paper={paper.value} />;
}

function Cashier() {
  useApprovals();
  useEffect(() => void readDrawer().then(resume), []);
  useEffect(() => effect(() => void followRequests(approvals.value)), []);
  return (
    <>
      <Bar page="cashier" />
      <main class="cashier">
        <Redeem />
        <Sell />
        <aside class="cashier-side">
          <Drawer />
          <Players />
          <OwedCard />
          {concerning.value.length > 0 && (
            <section class="card" aria-labelledby="waiting-head">
              <h2 id="waiting-head">{t("waiting_second")}</h2>
              <ApprovalList />
            </section>
          )}
        </aside>
      </main>
      <Papers />
      <Proofs />
    </>
  );
}

const Page = ({ data }: { data: PageData }) => (
  <StaffPage data={data} page="cashier">
    {() => <Cashier />}
  </StaffPage>
);

startPage(
  {
    en: { ...commonEn, ...staffEn, ...approvalsEn, ...cashierEn, ...ticketEn },
    "zh-Hant": { ...commonHant, ...staffHant, ...approvalsHant, ...cashierHant, ...ticketHant },
    "zh-Hans": { ...commonHans, ...staffHans, ...approvalsHans, ...cashierHans, ...ticketHans },
  },
  (data) => <Page data={data} />,
);
