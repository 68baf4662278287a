/** The frame of a staff page: who may be here, who is here, and where else one can go. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { tell } from "../../lib/announce.ts";
import { otherBuild } from "../../lib/build.ts";
import { type Key, t } from "../../lib/i18n.ts";
import { houseName } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { Dialog } from "../dialog.tsx";
import { Sprite } from "../dice.tsx";
import { GameName } from "../game-name.tsx";
import { Icon } from "../icon.tsx";
import { Languages } from "../languages.tsx";
import { useLater } from "../later.ts";
import { SoundButton } from "./heard.tsx";
import { LoginForm, LoginPage, roleName } from "./login.tsx";
import { Notice } from "./notice.tsx";
import { ended, house, isOneOf, known, logOut, openHouse, openLogins, PAGES, person, recognise } from "./session.ts";
import { ThemeButton, useTheme } from "./theme.tsx";
import { dateTime } from "./times.ts";

const LOOK_EVERY = 60_000;
/** Pages on which something may call. */
const HEARD: ReadonlySet<string> = new Set(["console", "pit", "cashier"]);

interface StaffPageProps {
  readonly data: PageData;
  readonly page: string;
  /** Drawn only for those who may see it. */
  readonly children: () => ComponentChildren;
}

export function StaffPage({ data, page, children }: StaffPageProps) {
  useTheme(page);
  useEffect(() => {
    openHouse.value = data.open_house;
    openLogins.value = data.open_logins;
    void recognise(data.csrf);
  }, []);
  // Seldom seen, so it is no part of the first picture.
  const account = useLater(() => import("./account.tsx"), useSignal(true));
  if (!known.value)
    return (
      <main class="door">
        <p>{t("link_connecting")}</p>
      </main>
    );
  if (!person.value || !house.value)
    return <LoginPage page={page} house={houseName(data)} playMoney={data.play_money} />;
  if (person.value.dues.length) return account.value && <account.value.Dues />;
  if (!isOneOf(PAGES[page] ?? [])) return account.value && <account.value.NotAllowed page={page} />;
  return (
    <div class="staff" data-page={page}>
      <Sprite />
      {children()}
      <Notice />
      {account.value && <account.value.AccountNotices />}
      {ended.value && (
        <Dialog name="login" title={t("session_ended")}>
          <LoginForm page={page} />
        </Dialog>
      )}
    </div>
  );
}

interface BarProps {
  readonly page: string;
  readonly title?: string;
  /** Between the name of the page and the person. */
  readonly children?: ComponentChildren;
  readonly tools?: ComponentChildren;
}

/** The head of a staff page. */
export function Bar({ page, title, children, tools }: BarProps) {
  return (
    <header class="bar">
      <div class="bar-brand">
        <a class="bar-home" href="/" aria-label={t("all_pages")}>
          <span aria-hidden="true">
            <GameName />
          </span>
        </a>
        <h1>{t(`page_${page}` as Key)}</h1>
        {title && <span class="bar-title">{title}</span>}
        {house.value?.play_money && <strong class="play-money">{t("play_money")}</strong>}
        {openHouse.value && <strong class="open-house">{t("open_house")}</strong>}
      </div>
      {children}
      <div class="bar-tools">
        <NewVersion />
        {tools}
        {HEARD.has(page) && <SoundButton />}
        <ThemeButton page={page} />
        <Languages short />
        <PersonPlate />
      </div>
    </header>
  );
}

/** Staff have work in their hands: a page of an older build says so, and they choose when it is loaded anew. */
function NewVersion() {
  const is = useSignal(false);
  useEffect(() => {
    const look = () => void otherBuild().then((build) => (is.value ||= build !== ""));
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (is.value) tell(t("new_version"));
  }, [is.value]);
  return is.value ? (
    <button type="button" class="solid" title={t("new_version")} onClick={() => location.reload()}>
      {t("load_anew")}
    </button>
  ) : null;
}

function PersonPlate() {
  const who = person.value;
  const changing = useSignal(false);
  const account = useLater(() => import("./account.tsx"), changing);
  if (!who) return null;
  const since = who.previous_login_at ? t("previous_login", { time: dateTime(who.previous_login_at) }) : "";
  return (
    <div class="person">
      <button
        type="button"
        class="person-words"
        aria-haspopup="dialog"
        title={[since, t("password_own")].filter(Boolean).join("\n")}
        onClick={() => (changing.value = true)}
      >
        <b>{who.name}</b>
        <small>{roleName(who.role)}</small>
        {since && <small class="since">{since}</small>}
      </button>
      {changing.value && account.value && <account.value.OwnPassword close={() => (changing.value = false)} />}
      <button
        type="button"
        class="quiet square"
        aria-label={t("log_out")}
        title={t("log_out")}
        onClick={() => void logOut()}
      >
        <Icon name="leave" />
      </button>
    </div>
  );
}
