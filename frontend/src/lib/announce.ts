/** The two live regions, which stand empty in the page from the start. */

type Region = "status" | "alert";

/** Two messages within this time are said together: the second must not drown the first. */
const TOGETHER = 1_500;
const last: Record<Region, { text: string; at: number }> = {
  status: { text: "", at: -TOGETHER },
  alert: { text: "", at: -TOGETHER },
};

function say(id: Region, text: string): void {
  const region = document.getElementById(id);
  if (!region) return;
  const before = last[id];
  const now = performance.now();
  const joined = now - before.at < TOGETHER && !before.text.endsWith(text) ? `${before.text} ${text}`.trim() : text;
  last[id] = { text: joined, at: now };
  region.textContent = "";
  // The same words twice are heard twice only if the region was empty in between.
  requestAnimationFrame(() => {
    region.textContent = last[id].text;
  });
}

/** Politely, when there is a pause: stakes taken, results. */
export const tell = (text: string): void => say("status", text);
/** At once: the last seconds, no more bets, a bet refused. */
export const warn = (text: string): void => say("alert", text);
