/** The drawer: opened with a float, closed with a count that nobody is told the target of. */
import { useSignal } from "@preact/signals";
import { t } from "../../lib/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ActForm, amountIn, MoneyField } from "../../ui/staff/fields.tsx";
import { countedSum, denominationsOf } from "../../ui/staff/money-entry.ts";
import { cash, currency } from "../../ui/staff/session.ts";
import { look } from "./issuing.ts";
import { issues } from "./kept.ts";
import { closeDrawer, drawer, drawerKnown, openDrawer, sales } from "./model.ts";

export function Drawer() {
  const counting = useSignal(false);
  const float = useSignal("");
  const minor = amountIn(float);
  const now = drawer.value;
  return (
    <section class="card drawer" data-open={now !== null} aria-labelledby="drawer-head">
      <h2 id="drawer-head">
        {t("drawer")}{" "}
        <small class="tag" data-good={now !== null}>
          {t(now ? "drawer_is_open" : "drawer_is_shut")}
        </small>
      </h2>
      {!drawerKnown.value ? (
        <p>{t("loading")}</p>
      ) : now ? (
        <>
          <dl class="facts">
            <dt>{t("drawer_float")}</dt>
            <dd>{cash(now.float)}</dd>
          </dl>
          <Journal />
          <Handed />
          <button type="button" class="quiet" onClick={() => (counting.value = true)}>
            {t("drawer_close")}
          </button>
        </>
      ) : (
        <ActForm
          submit={t("drawer_open")}
          ready={minor !== null}
          run={async () => {
            if (minor !== null && (await openDrawer(minor))) float.value = "";
          }}
        >
          <MoneyField label={t("drawer_float")} of={float} />
        </ActForm>
      )}
      {counting.value && <Count close={() => (counting.value = false)} />}
    </section>
  );
}

/** What went over the counter since the page was opened. */
function Journal() {
  if (!sales.value.length) return <p class="small">{t("counter_empty")}</p>;
  return (
    <ol class="journal" aria-label={t("counter_today")}>
      {sales.value.map((one) => (
        <li>
          <Icon name={one.kind === "sold" ? "ticket" : "cash"} />
          <span>{t(one.kind === "sold" ? "was_sold" : "was_paid")}</span>
          <b>
            {one.kind === "sold" ? "+" : "−"}
            {cash(one.amount)}
          </b>
        </li>
      ))}
    </ol>
  );
}

/** Tickets of this drawer that are with their customers: a duplicate begins here, and two people make it. */
function Handed() {
  const gone = issues.mine.value.filter((one) => one.state === "handed");
  if (!gone.length) return null;
  return (
    <ol class="journal" aria-label={t("paper_handed")}>
      {gone.map((one) => (
        <li>
          <button type="button" class="quiet" onClick={() => void look(one)}>
            {t("paper_look_again", { amount: cash(one.amount) })}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** A count by notes and coins; or the sum, for whoever has counted already. */
function Count({ close }: { close: () => void }) {
  const counts = useSignal<Readonly<Record<number, string>>>({});
  const sum = useSignal("");
  const byHand = Object.values(counts.value).some((text) => text.trim() !== "");
  const counted = byHand ? countedSum(counts.value) : amountIn(sum);
  return (
    <Dialog name="count" title={t("drawer_close")} close={close} wide>
      <ActForm
        submit={counted === null ? t("drawer_close") : t("drawer_close_with", { amount: cash(counted) })}
        ready={counted !== null}
        cancel={close}
        run={async () => {
          if (counted !== null && (await closeDrawer(counted))) close();
        }}
      >
        <p>{t("drawer_count_text")}</p>
        <div class="count-sheet">
          {denominationsOf(currency.value.exponent).map((minor) => (
            <label>
              <span>{cash(minor)}</span>
              <input
                inputMode="numeric"
                value={counts.value[minor] ?? ""}
                onInput={(event) => (counts.value = { ...counts.value, [minor]: event.currentTarget.value })}
              />
            </label>
          ))}
        </div>
        {byHand ? (
          <p class="big-money" role="status">
            {counted === null ? t("no_amount") : cash(counted)}
          </p>
        ) : (
          <MoneyField label={t("drawer_or_sum")} of={sum} optional />
        )}
      </ActForm>
    </Dialog>
  );
}
