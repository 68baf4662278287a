/** What a person chose on this machine: kept by the browser, read and written as signals. */
import { effect, type Signal, signal } from "@preact/signals";

const PREFIX = "taisai.";

function stored<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback; // storage shut off, or spoilt: the choice lives as long as the page
  }
}

/** A choice that survives the page. */
export function preference<T>(name: string, fallback: T): Signal<T> {
  const choice = signal(stored(name, fallback));
  let first = true;
  effect(() => {
    const text = JSON.stringify(choice.value);
    if (first) {
      first = false;
      return;
    }
    try {
      localStorage.setItem(PREFIX + name, text);
    } catch {
      // as above
    }
  });
  return choice;
}
