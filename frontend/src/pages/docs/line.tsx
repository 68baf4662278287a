/** A WebSocket, tried out: opened, written to and listened to. */
import { useRef, useState } from "preact/hooks";
import { setOut } from "./words.ts";

const KEPT = 50; // messages; the oldest go first

export function Line({ address, name }: { address: string; name: string }) {
  const line = useRef<WebSocket | null>(null);
  const [state, setState] = useState("closed");
  const [heard, setHeard] = useState<readonly string[]>([]);
  const [text, setText] = useState(`{"type": "Hello", "table": "${name === "terminal" ? "C1" : "T1"}"}`);

  const open = () => {
    const socket = new WebSocket(address);
    line.current = socket;
    setState("opening");
    socket.onopen = () => setState("open");
    socket.onclose = (event) => setState(event.reason ? `closed: ${event.reason}` : "closed");
    socket.onmessage = (event) => setHeard((before) => [setOut(String(event.data)), ...before].slice(0, KEPT));
  };
  const isOpen = state === "open";
  return (
    <form
      class="try"
      aria-label={`Try ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        line.current?.send(text);
      }}
    >
      <label class="body">
        Message
        <textarea spellcheck={false} rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <p class="go">
        {isOpen ? (
          <>
            <button type="submit">Send</button>
            <button type="button" onClick={() => line.current?.close()}>
              Close the line
            </button>
          </>
        ) : (
          <button type="button" onClick={open}>
            Open the line
          </button>
        )}
        <span role="status">{state}</span>
      </p>
      {heard.length > 0 && (
        <pre tabIndex={0} role="region" aria-label={`Heard from the server: ${name}`}>
          <code>{heard.join("\n\n")}</code>
        </pre>
      )}
    </form>
  );
}
