/** The two live regions, which stand empty in the page from the start. */

function say(id: "status" | "alert", text: string): void {
  const region = document.getElementById(id);
  if (!region) return;
  region.textContent = "";
  // The same words twice are heard twice only if the region was empty in between.
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Politely, when there is a pause: stakes taken, results. */
export const tell = (text: string): void => say("status", text);
/** At once: the last seconds, no more bets, a bet refused. */
export const warn = (text: string): void => say("alert", text);
