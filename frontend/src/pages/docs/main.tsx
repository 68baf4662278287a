/** The interface's page: the server wrote all of it; this adds search, a login, and trying things out. */
import "../../styles/docs.css";
import { render } from "preact";
import { Line } from "./line.tsx";
import { Search } from "./search.tsx";
import { type Operation, Try } from "./try.tsx";
import { Who } from "./who.tsx";

/** The entry that the address names is opened, also when the address changes. */
function openAsked(): void {
  const asked = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  const entry = asked?.closest("details");
  if (!asked || !entry) return;
  entry.open = true;
  entry.scrollIntoView();
}

/** The form of an operation is made when somebody first unfolds it: there are many. */
function makeTryable(entry: HTMLDetailsElement): void {
  const place = entry.querySelector<HTMLElement>("[data-try]");
  if (!place) return;
  entry.addEventListener("toggle", () => {
    if (entry.open && !place.firstChild)
      render(<Try operation={JSON.parse(place.dataset["try"]!) as Operation} />, place);
  });
}

/** The texts to copy name the house that shows them. */
function nameThisHouse(): void {
  for (const code of document.querySelectorAll("pre code"))
    code.textContent = code.textContent!.replaceAll("http://localhost:8400", location.origin);
}

nameThisHouse();
for (const entry of document.querySelectorAll<HTMLDetailsElement>("details.entry")) makeTryable(entry);
for (const place of document.querySelectorAll<HTMLElement>("[data-line]"))
  render(<Line address={place.dataset["line"]!} name={place.dataset["name"]!} />, place);
render(<Search />, document.getElementById("search")!);
render(<Who />, document.getElementById("who")!);
addEventListener("hashchange", openAsked);
openAsked();
