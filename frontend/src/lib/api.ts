/** The HTTP interface: JSON in and out, problems as errors that carry the server's own sentences. */
import type { Sentences } from "./types.ts";

export interface ProblemBody {
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly clause?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly sentences?: Sentences;
}

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body: ProblemBody,
  ) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
  }
}

let csrf = "";
/** Whether somebody did something at this page since its last request: only that keeps a login awake. */
let acted = false;
if (typeof window !== "undefined")
  for (const kind of ["pointerdown", "keydown"])
    window.addEventListener(kind, () => (acted = true), { capture: true, passive: true });

/** Writes carry this token; it comes with the page or with the login. */
export function useCsrf(token: string): void {
  csrf = token;
}

export async function call<T>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  key?: string,
): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && csrf) headers["X-CSRF-Token"] = csrf;
  if (key) headers["Idempotency-Key"] = key;
  if (acted) headers["X-Person-Acted"] = "1";
  acted = false;
  const request: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) request.body = JSON.stringify(body);
  const response = await fetch(`/api/v1${path}`, request);
  const text = await response.text();
  const parsed: unknown = text && response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
  if (!response.ok) throw new Problem(response.status, (parsed ?? {}) as ProblemBody);
  return parsed as T;
}

/** A name for an act that nobody else has; randomUUID is missing on plain HTTP. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
