/** How long the throw takes, in milliseconds. The page needs to know before the picture is loaded. */

/** One tumble of the shaker. */
export const TUMBLE_MS = 620;
/** What a die needs to come to rest, and how long after the one before it begins. */
export const DIE_RESTS_MS = 620;
export const NEXT_DIE_MS = 300;
/** From the moment that the faces are known until the last die lies still. */
export const SETTLE_MS = DIE_RESTS_MS + 2 * NEXT_DIE_MS;
