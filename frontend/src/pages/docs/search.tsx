/** Search over everything on the page: what does not have all the words is hidden. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { matches, wordsOf } from "./words.ts";

/** Hides entries, contents and headings without a find; how many entries are left. */
function filter(question: string): number {
  const words = wordsOf(question);
  let found = 0;
  for (const entry of document.querySelectorAll<HTMLElement>("main .entry")) {
    entry.hidden = !matches(entry.textContent ?? "", words);
    if (!entry.hidden) found += 1;
  }
  for (const item of document.querySelectorAll<HTMLElement>("nav li")) {
    const target = document.getElementById(item.querySelector("a")!.hash.slice(1));
    item.hidden = Boolean(target?.closest<HTMLElement>(".entry")?.hidden);
  }
  return found;
}

export function Search() {
  const [question, setQuestion] = useState("");
  const [found, setFound] = useState<number | null>(null);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const left = filter(question);
    setFound(question.trim() ? left : null);
  }, [question]);
  // Before the first frame: whoever sees the box can use its key.
  useLayoutEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement)
        return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener("keydown", go);
    return () => removeEventListener("keydown", go);
  }, []);
  return (
    <search>
      <label>
        Search
        <input
          ref={box}
          type="search"
          placeholder="address, field, code"
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
      </label>
      <span role="status">{found === null ? "" : found === 1 ? "1 found" : `${found} found`}</span>
    </search>
  );
}
