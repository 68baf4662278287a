/** A drawing that the server made, such as a QR code, as nodes: no picture from a data address. */
import { useEffect, useRef } from "preact/hooks";

const DRAWN = new Set(["svg", "path", "rect", "g", "title", "desc"]);

export function Svg({ svg, label }: { svg: string; label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const plain = [parsed, ...parsed.querySelectorAll("*")].every(
      (node) => DRAWN.has(node.localName) && !node.hasAttribute("style"),
    );
    if (holder.current && plain && parsed.localName === "svg")
      holder.current.replaceChildren(document.importNode(parsed, true));
  }, [svg]);
  return <div class="code" role="img" aria-label={label} ref={holder} />;
}
