/** Moments as people of a language write them, on the 24-hour clock. */
import { language } from "../../lib/i18n.ts";

export const clockTime = (at: number): string =>
  new Intl.DateTimeFormat(language.value, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  }).format(at);

export const dateTime = (at: number): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }).format(at);
