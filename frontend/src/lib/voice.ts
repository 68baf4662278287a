/** The dealer's voice: the call in the player's language, by a voice that is on this device. */
import { type Language, language, t } from "./i18n.ts";
import { callOf } from "./phase.ts";
import { preference } from "./prefs.ts";
import { soundOn } from "./sounds.ts";

export const voiceOn = preference("voice", true);

/** How browsers name the languages of their voices; the first that is there speaks. */
const TAGS: Readonly<Record<Language, readonly string[]>> = {
  en: ["en-GB", "en-SG", "en-US", "en"],
  "zh-Hant": ["zh-HK", "yue", "zh-TW", "zh"],
  "zh-Hans": ["zh-CN", "zh-SG", "cmn", "zh"],
};

/** A voice that speaks without a network, or none. */
export function voiceFor(of: Language, voices: readonly SpeechSynthesisVoice[]): SpeechSynthesisVoice | null {
  const here = voices.filter((voice) => voice.localService);
  for (const tag of TAGS[of]) {
    const found = here.find((voice) => voice.lang.replace("_", "-").toLowerCase().startsWith(tag.toLowerCase()));
    if (found) return found;
  }
  return null;
}

/** A number from one to eighteen as a dealer says it. */
const spoken = (number: number): string => t("spoken_numbers").split("|")[number - 1] ?? String(number);

/** "two, three, five: ten, small": the dice from low to high, the total, and what it is. */
export function spokenCall(dice: readonly number[]): string {
  const { total, triple, size } = callOf(dice);
  const kind = t(triple ? "kind_triple" : size === "big" ? "kind_big" : "kind_small").toLowerCase();
  const faces = [...dice].sort((a, b) => a - b).map(spoken);
  return t("spoken_call", { dice: faces.join(t("spoken_join")), total: spoken(total), kind });
}

/** Says something, instead of whatever was being said. Without a voice nothing happens, and nothing is missing. */
export function say(text: string): void {
  const speech = globalThis.speechSynthesis;
  if (!voiceOn.value || !soundOn.value || !speech) return;
  const voice = voiceFor(language.value, speech.getVoices());
  if (!voice) return;
  speech.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.voice = voice;
  words.lang = voice.lang;
  speech.speak(words);
}

/** Silence now: the sound was switched off in the middle of a word. */
export function hush(): void {
  globalThis.speechSynthesis?.cancel();
}
