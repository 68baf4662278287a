/** Parts of a page that are not needed for its first picture: there soon after it, and at once when asked for. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { afterFirstPicture } from "../lib/later.ts";

export function useLater<T>(load: () => Promise<T>, wanted: Signal<unknown>): Signal<T | null> {
  const later = useSignal<T | null>(null);
  useEffect(() => {
    const fetch = () =>
      void load().then(
        (loaded) => (later.value = loaded),
        () => undefined, // the line is down: asked for again with the next press
      );
    afterFirstPicture(fetch);
    return wanted.subscribe((asked) => asked && !later.peek() && fetch());
  }, []);
  return later;
}
