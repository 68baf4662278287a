/** Whether this person wants things to move. */
export const wantsCalm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
