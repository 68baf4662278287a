/** The door of the staff pages: name, password, second factor, and the position to act in. */
import { useSignal } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import { GameName } from "../game-name.tsx";
import { Icon } from "../icon.tsx";
import { Languages } from "../languages.tsx";
import { FLOOR, faultOf, logIn, logInOpenly, openLogins, PAGES, type Role } from "./session.ts";

export const roleName = (role: string): string => t(`role_${role.replaceAll("-", "_")}` as Key);

/** In an open house: each position that has something to do on this page, by one press. */
function OpenLogins({ page }: { page: string }) {
  const fault = useSignal("");
  const offered = openLogins.value.filter(({ role }) => (PAGES[page] ?? []).includes(role));
  if (!offered.length) return null;
  const enter = (name: string) => logInOpenly(name).catch((problem: unknown) => (fault.value = faultOf(problem)));
  return (
    <section class="open-logins" aria-labelledby="open-logins-head">
      <h2 id="open-logins-head">{t("open_logins")}</h2>
      <p class="small">{t("open_house")}</p>
      <ul>
        {offered.map(({ name, role }) => (
          <li key={name}>
            <button type="button" class="quiet" onClick={() => void enter(name)}>
              {roleName(role)}
            </button>
          </li>
        ))}
      </ul>
      {fault.value && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </section>
  );
}

export function LoginForm({ page }: { page: string }) {
  const fields = {
    name: useSignal(""),
    password: useSignal(""),
    totp: useSignal(""),
    acting: useSignal<Role | "">(""),
  };
  const fault = useSignal("");
  const busy = useSignal(false);
  const allowed = PAGES[page] ?? [];
  const enter = async (event: Event) => {
    event.preventDefault();
    if (busy.value || !fields.name.value.trim() || !fields.password.value) return;
    busy.value = true;
    fault.value = "";
    try {
      await logIn({
        name: fields.name.value.trim(),
        password: fields.password.value,
        totp: fields.totp.value.trim(),
        acting: fields.acting.value || null,
      });
    } catch (problem) {
      fault.value = faultOf(problem);
      fields.password.value = "";
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      <OpenLogins page={page} />
      <form class="login-form" onSubmit={(event) => void enter(event)}>
        {allowed.length > 0 && !openLogins.value.length && (
          <ul class="roles" aria-label={t("login_for")}>
            {allowed.map((role) => (
              <li>{roleName(role)}</li>
            ))}
          </ul>
        )}
        <label for="login-name">{t("login_name")}</label>
        <input
          id="login-name"
          autoComplete="username"
          autoCapitalize="none"
          spellcheck={false}
          required
          value={fields.name}
          onInput={(event) => (fields.name.value = event.currentTarget.value)}
        />
        <label for="login-password">{t("login_password")}</label>
        <input
          id="login-password"
          type="password"
          autoComplete="current-password"
          required
          value={fields.password}
          onInput={(event) => (fields.password.value = event.currentTarget.value)}
        />
        <details>
          <summary>{t("login_more")}</summary>
          <div class="login-more">
            <label for="login-totp">{t("login_totp")}</label>
            <input
              id="login-totp"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              value={fields.totp}
              onInput={(event) => (fields.totp.value = event.currentTarget.value)}
            />
            <label for="login-acting">{t("login_acting")}</label>
            <select
              id="login-acting"
              value={fields.acting}
              onChange={(event) => (fields.acting.value = event.currentTarget.value as Role | "")}
            >
              <option value="">{t("login_own_position")}</option>
              {FLOOR.map((role) => (
                <option value={role}>{roleName(role)}</option>
              ))}
            </select>
            <p class="small">{t("login_acting_hint")}</p>
          </div>
        </details>
        {fault.value && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" class="solid big" aria-disabled={busy}>
          {t("log_in")}
        </button>
      </form>
    </>
  );
}

export const Mark = () => (
  <p class="door-mark">
    <GameName />
  </p>
);

/** The whole page before anybody is known. */
export function LoginPage({ page, house, playMoney }: { page: string; house: string; playMoney: boolean }) {
  return (
    <main class="door">
      <div class="door-card">
        <Mark />
        <h1>{t(`page_${page}` as Key)}</h1>
        <p class="door-house">
          {house} {playMoney && <strong class="play-money">{t("play_money")}</strong>}
        </p>
        <LoginForm page={page} />
        <div class="door-foot">
          <Languages short />
          <a class="quiet tool" href="/">
            <Icon name="menu" />
            <span>{t("all_pages")}</span>
          </a>
        </div>
      </div>
    </main>
  );
}
