/** Who asks: the login of this browser, whose token goes with every write. */
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { call, Problem, useCsrf } from "../../lib/api.ts";

interface Person {
  readonly name: string;
  readonly role: string;
  readonly csrf: string;
}

export const person = signal<Person | null>(null);
/** The token as it is now: a request of this page sends it with every write. */
export const token = (): string => person.value?.csrf ?? "";

function become(found: Person | null): void {
  person.value = found;
  useCsrf(found?.csrf ?? "");
}

/** Ask the house who is logged in: not before somebody wants to know, since most who read this are nobody. */
export async function ask(): Promise<void> {
  const answer = await fetch("/api/v1/me", { headers: { Accept: "application/json" } });
  become(answer.ok ? ((await answer.json()) as Person) : null);
}

function Login() {
  const [said, setSaid] = useState("");
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const typed = Object.fromEntries(new FormData(form)) as Record<string, string>;
    try {
      become(await call<Person>("POST", "/login", typed));
    } catch (problem) {
      setSaid(problem instanceof Problem ? problem.message : "The house does not answer.");
    }
  };
  return (
    <details class="login" onToggle={(event) => event.currentTarget.open && void ask()}>
      <summary>Log in</summary>
      <form onSubmit={send}>
        <label>
          Name
          <input name="name" autocomplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <label>
          Code, if you have a second factor
          <input name="totp" inputMode="numeric" autocomplete="one-time-code" />
        </label>
        <button type="submit">Log in</button>
        <p role="alert">{said}</p>
      </form>
    </details>
  );
}

export function Who() {
  const known = person.value;
  return known ? (
    <p class="known">
      <b>{known.name}</b> {known.role}
      <button type="button" onClick={() => call("POST", "/logout").finally(ask)}>
        Log out
      </button>
    </p>
  ) : (
    <Login />
  );
}
