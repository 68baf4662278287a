/** The wire's types under the names that the pages use. */
import type { Refused } from "../wire.ts";

export type * from "../wire.ts";
export type Sentences = Refused["sentences"];
