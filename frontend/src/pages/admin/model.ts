/** What an administrator looks at: the staff list, the house as it is in force, and how it does. */
import { signal } from "@preact/signals";
import type { Happened, HealthView, InstallationView, MemberView, OneTimePassword } from "../../http.ts";
import { t } from "../../lib/i18n.ts";
import { note } from "../../ui/staff/notice.tsx";
import { ask, faultOf } from "../../ui/staff/session.ts";

export const members = signal<readonly MemberView[]>([]);
export const installation = signal<InstallationView | null>(null);
export const health = signal<HealthView | null>(null);
export const looking = signal(false);
/** Told this once, until it is put away. */
export const password = signal<OneTimePassword | null>(null);

/** Tells what went wrong; false where something did. */
async function attempt(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (problem) {
    note("refused", faultOf(problem));
    return false;
  }
}

const readStaff = async (): Promise<void> => {
  members.value = await ask<readonly MemberView[]>("GET", "/staff");
};

export const begin = (): Promise<boolean> =>
  attempt(async () => {
    await readStaff();
    installation.value = await ask<InstallationView>("GET", "/admin/installation");
  });

export async function lookAtHealth(): Promise<void> {
  if (looking.value) return;
  looking.value = true;
  await attempt(async () => {
    health.value = await ask<HealthView>("GET", "/admin/health");
  });
  looking.value = false;
}

const placeOf = (name: string): string => `/staff/${encodeURIComponent(name)}`;

/** Done at once, or put before a second person, as the act needs it. */
export const change = (name: string, what: object): Promise<boolean> =>
  attempt(async () => {
    const { waiting } = await ask<Happened>("POST", placeOf(name), what);
    note(waiting.length ? "waiting" : "done", t(waiting.length ? "waits_for_second" : "recorded"));
    await readStaff();
  });

const tellPassword = (found: OneTimePassword): void => {
  password.value = found;
  note(found.approval ? "waiting" : "done", t(found.approval ? "waits_for_second" : "recorded"));
};

export const add = (name: string, role: string, reason: string): Promise<boolean> =>
  attempt(async () => {
    tellPassword(await ask<OneTimePassword>("POST", "/staff", { name, role, reason }));
    await readStaff();
  });

export const resetPassword = (name: string, reason: string): Promise<boolean> =>
  attempt(async () => {
    const place = `${placeOf(name)}/password?${new URLSearchParams({ reason })}`;
    tellPassword(await ask<OneTimePassword>("DELETE", place));
  });
