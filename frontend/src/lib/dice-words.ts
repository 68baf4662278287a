/** The one way in which dice are written on every page: lowest first, as they are called, `2-3-5`. */
export const diceWords = (faces: readonly number[]): string => [...faces].sort((a, b) => a - b).join("-");
