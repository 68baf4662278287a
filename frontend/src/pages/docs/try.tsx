/** An operation, tried out on this house: what is typed is sent as it stands, and what comes back is shown. */
import { useRef, useState } from "preact/hooks";
import { freshId } from "../../lib/api.ts";
import { ask, token } from "./who.tsx";
import { addressOf, type Parameter, setOut } from "./words.ts";

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly staff: boolean;
  readonly key: boolean;
  readonly stream: boolean;
  readonly parameters: readonly Parameter[];
  readonly bodies: Readonly<Record<string, string>>;
  readonly first: string;
}

const SHOWN_MAX = 100_000; // characters of an answer; an export has no end worth showing

interface Answer {
  readonly status: string;
  readonly text: string;
}

/** The text of an answer, shown as it comes: a stream of events does not end by itself. */
async function read(response: Response, show: (text: string) => void): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader && text.length < SHOWN_MAX) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    show(text);
  }
  if (text.length < SHOWN_MAX) return text;
  await reader?.cancel();
  return `${text.slice(0, SHOWN_MAX)}\n… and more`;
}

function Field({ parameter, into }: { parameter: Parameter; into: Record<string, string> }) {
  return (
    <label>
      {parameter.name}
      <input
        name={parameter.name}
        defaultValue={parameter.example}
        required={parameter.needed}
        onInput={(event) => (into[parameter.name] = event.currentTarget.value)}
      />
    </label>
  );
}

function Body({ operation, text, set }: { operation: Operation; text: string; set: (text: string) => void }) {
  const names = Object.keys(operation.bodies);
  return (
    <>
      {names.length > 1 && (
        <label>
          Act
          <select onChange={(event) => set(operation.bodies[event.currentTarget.value]!)}>
            {names.map((name) => (
              <option key={name} selected={operation.bodies[name] === operation.first}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="body">
        Body
        <textarea spellcheck={false} rows={8} value={text} onInput={(event) => set(event.currentTarget.value)} />
      </label>
    </>
  );
}

export function Try({ operation }: { operation: Operation }) {
  const typed = useRef(Object.fromEntries(operation.parameters.map(({ name, example }) => [name, example]))).current;
  const [body, setBody] = useState(operation.first);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [running, setRunning] = useState<AbortController | null>(null);
  const writes = operation.method !== "GET";

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const stop = new AbortController();
    if (writes && operation.staff && !token()) await ask(); // somebody who logged in on another page
    const headers: Record<string, string> = { Accept: "*/*", "X-Person-Acted": "1" };
    if (operation.first) headers["Content-Type"] = "application/json";
    if (operation.key) headers["Idempotency-Key"] = freshId();
    if (writes && token()) headers["X-CSRF-Token"] = token();
    const request: RequestInit = { method: operation.method, headers, signal: stop.signal };
    if (operation.first) request.body = body;
    setRunning(stop);
    setAnswer({ status: "sent", text: "" });
    let status = "no answer";
    try {
      const response = await fetch(addressOf(operation.path, operation.parameters, typed), request);
      status = `${response.status} ${response.statusText}`.trim();
      const text = await read(response, (text) => setAnswer({ status, text }));
      setAnswer({ status, text: setOut(text) });
      if (/login|logout/.test(operation.path)) await ask();
    } catch (error) {
      if (!stop.signal.aborted) setAnswer({ status, text: String(error) });
    } finally {
      setRunning(null);
    }
  };

  return (
    <form aria-label={`Try ${operation.name}`} onSubmit={send}>
      {operation.parameters.map((parameter) => (
        <Field key={parameter.name} parameter={parameter} into={typed} />
      ))}
      {operation.first && <Body operation={operation} text={body} set={setBody} />}
      <p class="go">
        <button type="submit">{writes ? "Send it to this house" : "Try it"}</button>
        {operation.stream && running && (
          <button type="button" onClick={() => running.abort()}>
            Stop
          </button>
        )}
        {writes && <span>It is done for real, and is on the record.</span>}
      </p>
      <p class="status" role="status">
        {answer?.status}
      </p>
      {answer?.text && (
        <pre tabIndex={0} role="region" aria-label={`Answer: ${operation.name}`}>
          <code>{answer.text}</code>
        </pre>
      )}
    </form>
  );
}
