/** What a player allows themselves in this session. The server holds them to it. */
import { useSignal } from "@preact/signals";
import { t, type Key } from "../../lib/i18n.ts";
import { pageData } from "../../lib/page.ts";
import type { Terminal } from "./model.ts";
import type { OwnLimits } from "./seat.ts";

const AMOUNTS = ["loss_session", "wager_session"] as const;
const MINUTES = [10, 15, 20, 30, 60, 120];

export function OwnLimitsPanel({ terminal, close }: { terminal: Terminal; close: () => void }) {
  const wanted = useSignal<OwnLimits>(terminal.ownLimits.value);
  const session = terminal.session.value;
  const scale = 10 ** (terminal.table.value?.currency_exponent ?? 0);
  const help = pageData().help_line;
  const set = (name: keyof OwnLimits, value: string, times = 1) => {
    const amount = Math.round(Number(value) * times);
    wanted.value = { ...wanted.value, [name]: value && amount >= 0 ? amount : null };
  };
  return (
    <form
      class="settings"
      onSubmit={(event) => {
        event.preventDefault();
        terminal.setLimits(wanted.value);
        close();
      }}
    >
      <p>{t("own_limits_text")}</p>
      {AMOUNTS.map((name) => (
        <div class="field">
          <label for={name}>{t(`limit_${name}` as Key)}</label>
          <input
            id={name}
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            value={wanted.value[name] == null ? "" : wanted.value[name] / scale}
            onInput={(event) => set(name, event.currentTarget.value, scale)}
          />
        </div>
      ))}
      <div class="field">
        <label for="minutes_session">{t("limit_minutes_session")}</label>
        <input
          id="minutes_session"
          type="number"
          min="1"
          step="1"
          inputMode="numeric"
          value={wanted.value.minutes_session ?? ""}
          onInput={(event) => set("minutes_session", event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="reality_check_minutes">{t("remind_me")}</label>
        <select
          id="reality_check_minutes"
          value={wanted.value.reality_check_minutes ?? ""}
          onChange={(event) => set("reality_check_minutes", event.currentTarget.value)}
        >
          <option value="">{t("remind_house")}</option>
          {MINUTES.map((minutes) => (
            <option value={minutes}>{t("minutes", { n: minutes })}</option>
          ))}
        </select>
      </div>
      {help && <p class="small">{help}</p>}
      <div class="choice">
        <button type="button" class="quiet" onClick={close}>
          {t("close")}
        </button>
        <button type="submit" class="solid" disabled={!session}>
          {t("limits_apply")}
        </button>
      </div>
    </form>
  );
}
