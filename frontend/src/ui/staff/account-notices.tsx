/** What others did to the account of whoever has logged in: shown over the page until it was read. */
import { useSignal } from "@preact/signals";
import type { NoticeView } from "../../http.ts";
import { has, type Key, t } from "../../lib/i18n.ts";
import { Dialog } from "../dialog.tsx";
import { person } from "./session.ts";
import { dateTime } from "./times.ts";

const READ = "taisai-notices-read";

/** Whose notices, and how new the newest is: later ones are shown again. */
const markOf = (name: string, notices: readonly NoticeView[]): string =>
  `${name} ${Math.max(...notices.map((one) => one.at))}`;

/** A page that may keep nothing shows them at each load. */
function stored(write?: string): string | null {
  try {
    if (write !== undefined) sessionStorage.setItem(READ, write);
    return sessionStorage.getItem(READ);
  } catch {
    return null;
  }
}

const whoDid = ({ by, second }: NoticeView): string =>
  second ? t("notice_by_two", { by, second }) : t("notice_by", { by });

export function AccountNotices() {
  const who = person.value;
  const read = useSignal(stored());
  if (!who?.notices.length || read.value === markOf(who.name, who.notices)) return null;
  const close = () => {
    read.value = markOf(who.name, who.notices);
    stored(read.value);
  };
  return (
    <Dialog name="notices" title={t("notices_title")} close={close}>
      <ul class="account-notices">
        {who.notices.map((notice) => (
          <li>
            <strong>{t(`notice_${notice.what}` as Key)}</strong>
            <p class="small">
              {whoDid(notice)} · <time>{dateTime(notice.at)}</time>
            </p>
            {notice.reason && !has(`act_${notice.reason}`) && <p class="why">“{notice.reason}”</p>}
          </li>
        ))}
      </ul>
      <p>{t("notices_text")}</p>
      <button type="button" class="solid" onClick={close}>
        {t("notices_seen")}
      </button>
    </Dialog>
  );
}
