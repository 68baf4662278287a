/** Acts that wait for a second person: what is asked, by whom, why, and how long it still waits. */
import { computed, signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ApprovalView } from "../../http.ts";
import { freshId } from "../../lib/api.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { Dialog } from "../dialog.tsx";
import { Dice } from "../dice.tsx";
import { Icon } from "../icon.tsx";
import { Effects } from "./approval-effects.tsx";
import { factsOf } from "./approval-facts.ts";
import { ActForm, TextField } from "./fields.tsx";
import { useCalled, useTitleCount } from "./heard.tsx";
import { roleName } from "./login.tsx";
import { note, told } from "./notice.tsx";
import { type ActAnswer, ask, faultOf, person } from "./session.ts";
import { dateTime } from "./times.ts";

const POLL = 2_500;

export const approvals = signal<readonly ApprovalView[]>([]);
const now = signal(Date.now());
/** How many decisions were made here: a list that was asked for before the last one still has what is decided. */
let decisions = 0;

/** Follows the requests for as long as a page shows them; a new one for this person is heard. */
export function useApprovals(): void {
  useCalled(callingMe, "call");
  useTitleCount(countForMe);
  useEffect(() => {
    let stopped = false;
    const look = async () => {
      const before = decisions;
      try {
        const found = await ask<readonly ApprovalView[]>("GET", "/approvals");
        if (!stopped && before === decisions) approvals.value = found;
      } catch {
        // the next look tells; a lost session shows itself
      }
    };
    void look();
    const polling = setInterval(() => void look(), POLL);
    const ticking = setInterval(() => (now.value = Date.now()), 1_000);
    return () => {
      stopped = true;
      clearInterval(polling);
      clearInterval(ticking);
    };
  }, []);
}

export interface Asked {
  readonly key: string;
  readonly all: readonly ApprovalView[];
}

/** The same act for several rounds, as when dice were damaged, is one thing to decide. */
export function groupsOf(requests: readonly ApprovalView[]): Asked[] {
  const groups = new Map<string, ApprovalView[]>();
  for (const one of requests) {
    const several = one.act === "ReportDamagedDice";
    const key = several ? [one.by, one.target, one.act, one.reason].join("\n") : one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, all]) => ({ key, all }));
}

/** What a cashier may agree to; the pit may agree to everything. */
const CASHIERS: ReadonlySet<string> = new Set([
  "VoidTicket",
  "PrintTicket",
  "RedeemTicket",
  "FillTable",
  "CreditTable",
  "CountFloat",
  "CountDrop",
  "HandPay",
  "CollectOwed",
  "PayUnclaimed",
]);
/** Those who check the record or run the system agree to changes of the staff list, and to nothing else. */
function concerns(one: ApprovalView): boolean {
  const role = person.value?.role;
  if (role === "auditor" || role === "administrator") return one.target === "staff";
  return role !== "cashier" || CASHIERS.has(one.act) || one.target === "staff";
}

export const concerning = computed(() => approvals.value.filter(concerns));
export const waitingForMe = computed(() => groupsOf(concerning.value.filter((one) => one.by !== person.value?.name)));
const callingMe = computed(() => waitingForMe.value.map((asked) => asked.key));
const countForMe = computed(() => waitingForMe.value.length);
const mine = computed(() => groupsOf(concerning.value.filter((one) => one.by === person.value?.name)));

const actName = (act: string): string => t(`act_${act}` as Key);

export function placeOf(request: ApprovalView): string {
  const [kind, name = ""] = request.target.split(":");
  if (kind === "table") return name;
  if (kind === "staff") return t("staff_list");
  return t(kind === "cage" ? "page_cashier" : "page_pit");
}

function left(request: ApprovalView): string {
  const seconds = Math.max(0, Math.round((request.expires_at - now.value) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A correction's dice are drawn with those before them, where what it changes is told. */
const showsDice = (request: ApprovalView): boolean => request.act === "CorrectResult";

/** The facts of a request: dice as dice, the rest in words. */
function Facts({ request }: { request: ApprovalView }) {
  const roll = request.fields["roll"] as readonly number[] | null | undefined;
  return (
    <dl class="facts">
      {roll && !showsDice(request) && (
        <>
          <dt>{t("dice")}</dt>
          <dd>
            <Dice faces={roll} />
          </dd>
        </>
      )}
      {factsOf(request).map(([term, text]) => (
        <>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
  );
}

async function decide(
  all: readonly ApprovalView[],
  decision: "approve" | "deny" | "withdraw",
  reason = "",
): Promise<boolean> {
  const ids = all.map((one) => one.id);
  const answers = ids.map(
    (id) => () => ask<ActAnswer>("POST", `/approvals/${encodeURIComponent(id)}`, { decision, reason }, freshId()),
  );
  const [first, ...others] = answers;
  if (!first) return false;
  try {
    for (const other of others) await other();
  } catch (problem) {
    note("refused", faultOf(problem));
    return false;
  }
  const done = await told(
    first(),
    t(({ approve: "approved", deny: "denied", withdraw: "withdrawn" } as const)[decision]),
  );
  decisions += 1;
  if (done) approvals.value = approvals.value.filter((one) => !ids.includes(one.id));
  return done;
}

function Request({ asked, own }: { asked: Asked; own: boolean }) {
  const denying = useSignal(false);
  const reason = useSignal("");
  const busy = useSignal(false);
  const request = asked.all[0]!;
  const rounds = asked.all.map((one) => one.round).filter((round) => round !== null);
  const go = async (decision: "approve" | "withdraw") => {
    if (busy.value) return;
    busy.value = true;
    await decide(asked.all, decision);
    busy.value = false;
  };
  return (
    <li class="request" data-act={request.act}>
      <header>
        <strong>{actName(request.act)}</strong>
        <span class="where">
          {placeOf(request)}
          {rounds.length > 0 && ` · ${t("round_number", { n: rounds.join(", ") })}`}
        </span>
        <span class="left" title={t("waits_until")}>
          <Icon name="clock" />
          {left(request)}
        </span>
      </header>
      <Facts request={request} />
      {asked.all.map((one) => (
        <Effects key={one.id} request={one} />
      ))}
      <p class="why">“{request.reason}”</p>
      <p class="small">
        {t("asked_by", { name: request.by, role: roleName(request.role) })} · <time>{dateTime(request.at)}</time>
      </p>
      {own ? (
        <div class="choice">
          <p class="small">{t("waits_for_second")}</p>
          <button type="button" class="quiet" aria-disabled={busy} onClick={() => void go("withdraw")}>
            {t("withdraw")}
          </button>
        </div>
      ) : (
        <div class="choice">
          <button type="button" class="quiet" onClick={() => (denying.value = true)}>
            {t("deny")}
          </button>
          <button type="button" class="solid" aria-disabled={busy} onClick={() => void go("approve")}>
            {asked.all.length > 1 ? t("approve_all", { n: asked.all.length }) : t("approve")}
          </button>
        </div>
      )}
      {denying.value && (
        <Dialog name="deny" title={t("deny")} close={() => (denying.value = false)}>
          <ActForm
            submit={t("deny")}
            ready
            danger
            cancel={() => (denying.value = false)}
            run={async () => {
              if (await decide(asked.all, "deny", reason.value)) denying.value = false;
            }}
          >
            <TextField label={t("reason")} of={reason} />
          </ActForm>
        </Dialog>
      )}
    </li>
  );
}

/** Everything that waits: what this person may decide first, then what they asked for themselves. */
export function ApprovalList() {
  const [others, own] = [waitingForMe.value, mine.value];
  if (!others.length && !own.length) return <p class="small">{t("approvals_none")}</p>;
  return (
    <ul class="requests">
      {others.map((asked) => (
        <Request key={asked.key} asked={asked} own={false} />
      ))}
      {own.map((asked) => (
        <Request key={asked.key} asked={asked} own />
      ))}
    </ul>
  );
}
