/** Who is logged in at this page, and every request made in their name. */
import { computed, signal } from "@preact/signals";
import type { ActDone, ActWaiting, HouseView, PersonView } from "../../http.ts";
import { call, freshId, Problem, useCsrf } from "../../lib/api.ts";
import { language, said, t } from "../../lib/i18n.ts";
import { type Currency, money, netMoney } from "../../lib/money.ts";
import type { OpenLogin, Role } from "../../lib/types.ts";

export type { Role };

export const person = signal<PersonView | null>(null);
/** The session ended under the page: what is on it stays, and somebody logs in over it. */
export const ended = signal(false);
/** False until it is known whether the cookie still counts. */
export const known = signal(false);
export const house = signal<HouseView | null>(null);

export const FLOOR: readonly Role[] = ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager"];
export const SUPERVISORS: readonly Role[] = FLOOR.slice(1);
export const PAGES: Readonly<Record<string, readonly Role[]>> = {
  console: FLOOR,
  pit: [...SUPERVISORS, "auditor"],
  cashier: ["cashier", ...SUPERVISORS],
  audit: ["auditor", "casino-manager"],
  admin: ["administrator"],
};

/** Where anyone may be anyone: whom this visitor may be by one press. */
export const openHouse = signal(false);
export const openLogins = signal<readonly OpenLogin[]>([]);

export const isOneOf = (roles: readonly Role[]): boolean => person.value !== null && roles.includes(person.value.role);

export const currency = computed<Currency>(() => ({
  code: house.value?.currency ?? "",
  exponent: house.value?.currency_exponent ?? 0,
}));
export const cash = (minor: number): string => money(minor, currency.value, language.value);

/** From the least to the most that is taken, as the table's sign says it. */
export const cashSpan = ({ minimum, maximum }: { minimum: number; maximum: number | null }): string =>
  maximum === null
    ? t("sign_from", { minimum: cash(minimum) })
    : t("sign_line", { minimum: cash(minimum), maximum: cash(maximum) });
export const netCash = (minor: number): string => netMoney(minor, currency.value, language.value);

/** Whether whoever is paid this much in cash shows a document. */
export function isLarge(minor: number): boolean {
  const from = house.value?.identify_from ?? 0;
  return from > 0 && minor >= from;
}

/** A request as the person; when the session has ended, the login comes over the page. */
export async function ask<T>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
  key?: string,
): Promise<T> {
  const once = key ?? (method === "POST" ? freshId() : undefined);
  const send = (): Promise<T> => call<T>(method, path, body, once);
  const asker = person.value;
  try {
    return await send().catch(async (problem: unknown) => {
      if (!(problem instanceof Problem) || problem.body.code !== "csrf") throw problem;
      await whoAmI(); // the server was started anew: the login still counts, its token does not
      return send();
    });
  } catch (problem) {
    // A late answer to a session that has ended says nothing of the one that has begun since.
    // A wrong password, as when one changes one's own, ends nothing.
    const over = problem instanceof Problem && problem.body.code === "session_ended";
    if (over && asker && person.value === asker) ended.value = true;
    throw problem;
  }
}

export type ActAnswer = ActDone | ActWaiting;

export const actAt = (
  table: string,
  act: string,
  fields: object = {},
  round: number | null = null,
  key?: string,
): Promise<ActAnswer> =>
  ask<ActAnswer>("POST", `/tables/${encodeURIComponent(table)}/acts`, { act, fields, round }, key);

export const actInPit = (act: string, fields: object): Promise<ActAnswer> =>
  ask<ActAnswer>("POST", "/pit/acts", { act, fields });

/** What a failure says, in the reader's language. */
export function faultOf(problem: unknown): string {
  if (!(problem instanceof Problem)) return t("no_answer");
  const { sentences } = problem.body;
  return sentences ? said(sentences).join(" ") : problem.message;
}

function take(found: PersonView): void {
  useCsrf(found.csrf);
  person.value = found;
  ended.value = false;
}

/** At the start of a page: the cookie may still count. */
export async function recognise(csrf: string): Promise<void> {
  useCsrf(csrf);
  try {
    house.value = await call<HouseView>("GET", "/house");
    if (csrf) take(await call<PersonView>("GET", "/me"));
  } catch {
    person.value = null;
  } finally {
    known.value = true;
  }
}

export interface Credentials {
  readonly name: string;
  readonly password: string;
  readonly totp: string;
  readonly acting: Role | null;
}

export async function logIn(credentials: Credentials): Promise<void> {
  house.value ??= await call<HouseView>("GET", "/house");
  take(await call<PersonView>("POST", "/login", credentials));
}

/** Comes in by one press. */
export async function logInOpenly(name: string): Promise<void> {
  house.value ??= await call<HouseView>("GET", "/house");
  take(await call<PersonView>("POST", "/login/open", { name }));
}

export async function logOut(): Promise<void> {
  try {
    await call("POST", "/logout");
  } finally {
    useCsrf("");
    person.value = null;
  }
}

export async function whoAmI(): Promise<void> {
  take(await ask<PersonView>("GET", "/me"));
}
