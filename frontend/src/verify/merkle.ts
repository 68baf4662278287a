/** Proofs of Merkle trees, checked as RFC 9162 says. Sizes are below 2^53, so that they are divided and never shifted. */

import { sha256 } from "@noble/hashes/sha2.js";
import { concat, equal } from "./bytes.ts";

export const leafHash = (data: Uint8Array): Uint8Array => sha256(concat(Uint8Array.of(0), data));
const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concat(Uint8Array.of(1), left, right));
const half = (value: number): number => Math.floor(value / 2);
const odd = (value: number): boolean => value % 2 === 1;

export function includes(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!(index >= 0 && index < size)) return false;
  let [place, last, found] = [index, size - 1, leaf];
  for (const each of proof) {
    if (last === 0) return false;
    if (odd(place) || place === last) {
      found = nodeHash(each, found);
      while (!odd(place) && place) [place, last] = [half(place), half(last)];
    } else found = nodeHash(found, each);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && equal(found, root);
}

const isPower = (value: number): boolean =>
  Number.isInteger(Math.log2(value)) && 2 ** Math.round(Math.log2(value)) === value;

export function extendsTree(
  first: number,
  second: number,
  firstRoot: Uint8Array,
  secondRoot: Uint8Array,
  proof: Uint8Array[],
): boolean {
  if (!(first > 0 && first <= second)) return false;
  if (first === second) return proof.length === 0 && equal(firstRoot, secondRoot);
  if (!proof.length) return false;
  const [start, ...rest] = isPower(first) ? [firstRoot, ...proof] : proof;
  let [place, last] = [first - 1, second - 1];
  while (odd(place)) [place, last] = [half(place), half(last)];
  let [small, large] = [start!, start!];
  for (const each of rest) {
    if (last === 0) return false;
    if (odd(place) || place === last) {
      [small, large] = [nodeHash(each, small), nodeHash(each, large)];
      while (!odd(place) && place) [place, last] = [half(place), half(last)];
    } else large = nodeHash(large, each);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && equal(small, firstRoot) && equal(large, secondRoot);
}
