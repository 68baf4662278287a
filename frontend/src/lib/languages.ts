/** The languages of the pages, and which of them is nearest to what somebody asks for. */

export const LANGUAGES = ["en", "zh-Hant", "zh-Hans"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The nearest of our languages to what a browser asks for. */
export function nearestLanguage(asked: readonly string[]): Language {
  for (const tag of asked) {
    if (/^zh\b.*(hant|tw|hk|mo)/i.test(tag)) return "zh-Hant";
    if (/^zh\b/i.test(tag)) return "zh-Hans";
    if (/^en\b/i.test(tag)) return "en";
  }
  return "en";
}
