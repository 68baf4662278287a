/** What is searched for, and the address of a request: pure, so that it is tested without a page. */

export const wordsOf = (question: string): string[] => question.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a text has all the words, in any order. */
export function matches(text: string, words: readonly string[]): boolean {
  const low = text.toLowerCase();
  return words.every((word) => low.includes(word));
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly needed: boolean;
  readonly example: string;
}

/** The address with what was typed in; a query parameter that was left empty is not sent. */
export function addressOf(
  path: string,
  parameters: readonly Parameter[],
  typed: Readonly<Record<string, string>>,
): string {
  let address = path;
  const asked = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = typed[name] ?? "";
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value) asked.set(name, value);
  }
  return asked.size ? `${address}?${asked}` : address;
}

/** An answer's text for people: JSON is set out in lines, everything else is as it came. */
export function setOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
