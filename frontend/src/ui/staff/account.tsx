/** One's own account, seldom looked at: what is due first, one's password, and a page that is for others. */
import { useSignal } from "@preact/signals";
import type { TotpOffer } from "../../http.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { Dialog } from "../dialog.tsx";
import { Icon } from "../icon.tsx";
import { Mark, roleName } from "./login.tsx";

import { note } from "./notice.tsx";
import { ask, faultOf, logOut, PAGES, person, whoAmI } from "./session.ts";
import { Svg } from "./svg.tsx";

export { AccountNotices } from "./account-notices.tsx";

/** Logged in, but this page is for others. */
export function NotAllowed({ page }: { page: string }) {
  return (
    <main class="door">
      <div class="door-card">
        <Mark />
        <h1>{t(`page_${page}` as Key)}</h1>
        <p>{t("page_not_for_you", { name: person.value?.name ?? "", role: roleName(person.value?.role ?? "") })}</p>
        <ul class="roles">
          {(PAGES[page] ?? []).map((role) => (
            <li>{roleName(role)}</li>
          ))}
        </ul>
        <button type="button" class="solid big" onClick={() => void logOut()}>
          {t("log_in_other")}
        </button>
        <a class="quiet tool" href="/">
          <Icon name="menu" />
          <span>{t("all_pages")}</span>
        </a>
      </div>
    </main>
  );
}

/** A one-time password must be changed, or a second factor set up, before anything else. */
export function Dues() {
  const dues = person.value?.dues ?? [];
  return (
    <main class="door">
      <div class="door-card">
        <h1>{t("dues_title")}</h1>
        {dues.includes("password") ? <ChangePassword why={t("dues_password")} done={whoAmI} /> : <SetTotp />}
        <button type="button" class="quiet" onClick={() => void logOut()}>
          {t("log_out")}
        </button>
      </div>
    </main>
  );
}

function SetTotp() {
  const [offer, code, fault] = [useSignal<TotpOffer | null>(null), useSignal(""), useSignal("")];
  const password = useSignal("");
  const attempt = async (work: () => Promise<void>) => {
    try {
      fault.value = "";
      await work();
    } catch (problem) {
      fault.value = faultOf(problem);
    }
  };
  if (!offer.value) {
    return (
      <>
        <p>{t("dues_totp")}</p>
        {fault.value && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <button
          type="button"
          class="solid big"
          onClick={() =>
            void attempt(async () => {
              offer.value = await ask<TotpOffer>("GET", "/me/totp");
            })
          }
        >
          {t("totp_begin")}
        </button>
      </>
    );
  }
  const { secret, qr_svg } = offer.value;
  return (
    <form
      class="login-form"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => {
          await ask("POST", "/me/totp", { code: code.value.trim(), password: password.value });
          await whoAmI();
        });
      }}
    >
      <Svg svg={qr_svg} label={t("totp_code")} />
      <p class="secret">{secret}</p>
      <label for="totp-code">{t("login_totp")}</label>
      <input
        id="totp-code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        required
        value={code}
        onInput={(event) => (code.value = event.currentTarget.value)}
      />
      <label for="totp-password">{t("login_password")}</label>
      <input
        id="totp-password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onInput={(event) => (password.value = event.currentTarget.value)}
      />
      {fault.value && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" class="solid big">
        {t("totp_confirm")}
      </button>
    </form>
  );
}

interface ChangeProps {
  /** Why it should be changed, where it has to be. */
  readonly why?: string;
  readonly done: () => unknown;
}

function ChangePassword({ why, done }: ChangeProps) {
  const [old, fresh, fault] = [useSignal(""), useSignal(""), useSignal("")];
  const change = async (event: Event) => {
    event.preventDefault();
    try {
      await ask("POST", "/me/password", { old: old.value, new: fresh.value });
      await done();
    } catch (problem) {
      fault.value = faultOf(problem);
    }
  };
  return (
    <form class="login-form" onSubmit={(event) => void change(event)}>
      {why && <p>{why}</p>}
      <label for="old-password">{t("password_old")}</label>
      <input
        id="old-password"
        type="password"
        autoComplete="current-password"
        required
        value={old}
        onInput={(event) => (old.value = event.currentTarget.value)}
      />
      <label for="new-password">{t("password_new")}</label>
      <input
        id="new-password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        value={fresh}
        onInput={(event) => (fresh.value = event.currentTarget.value)}
      />
      {fault.value && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" class="solid big">
        {t("password_change")}
      </button>
    </form>
  );
}

/** Opened by a press on one's own name. */
export function OwnPassword({ close }: { close: () => void }) {
  const done = () => {
    note("done", t("password_changed"));
    close();
  };
  return (
    <Dialog name="password" title={t("password_own")} close={close}>
      <ChangePassword done={done} />
    </Dialog>
  );
}
