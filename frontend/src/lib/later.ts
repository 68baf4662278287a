/** What is not needed for the first picture is loaded after it. */

/** Runs once the page is drawn and has nothing more urgent to do. */
export function afterFirstPicture(run: () => void): void {
  const idle = () =>
    "requestIdleCallback" in window ? requestIdleCallback(run, { timeout: 1_500 }) : setTimeout(run, 50);
  requestAnimationFrame(() => requestAnimationFrame(idle));
}
