/** The throw: a canvas that follows the record. It is for the eye; the call is told in words elsewhere. */
import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { afterFirstPicture } from "../lib/later.ts";
import { wantsCalm } from "../lib/motion.ts";
import type { Reveal } from "../lib/reveal.ts";
import { play } from "../lib/sounds.ts";
import type { RoundView, TableView } from "../lib/types.ts";
import type { Scene, Step } from "../throw/scene.ts";

interface ThrowProps {
  readonly round: ReadonlySignal<RoundView | null>;
  readonly table: ReadonlySignal<TableView | null>;
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is none of our business
  readonly reveal: Reveal<any>;
}

const stepOf = (round: RoundView | null, table: TableView | null, coming: readonly number[] | null): Step => ({
  covered: table?.cover !== "open",
  tumbles: round?.tumbles ?? null,
  exposed: round?.exposed ?? false,
  dice: coming ?? round?.dice ?? null,
});

export function Throw({ round, table, reveal }: ThrowProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useSignal("");
  const scene = useSignal<Scene | null>(null);
  useEffect(() => {
    const calm = wantsCalm();
    let gone = false;
    let observer: ResizeObserver | undefined;
    afterFirstPicture(() =>
      import("../throw/scene.ts").then(
        ({ Scene }) => {
          if (gone || !canvas.current) return;
          const made = new Scene(canvas.current, {
            calm,
            stage: (now) => (stage.value = now),
            knock: (hard) => play(hard > 0.7 ? "die" : "rattle"),
          });
          observer = new ResizeObserver(() => made.resize());
          observer.observe(canvas.current);
          scene.value = made;
          reveal.ready = !calm;
        },
        () => undefined, // the line is down: the result is told without the picture
      ),
    );
    return () => {
      gone = true;
      reveal.ready = false;
      observer?.disconnect();
      scene.peek()?.stop();
    };
  }, []);
  useSignalEffect(() => scene.value?.follow(stepOf(round.value, table.value, reveal.coming.value)));
  return (
    <div class="throw" data-stage={stage} aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  );
}
