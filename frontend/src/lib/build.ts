/** A server that came back with other pages: what was loaded before it is out of date. */
import { call } from "./api.ts";
import { pageData } from "./page.ts";

const TRIED = "taisai.build-tried";

/** Whether the server's pages are of another build than this one; when in doubt they are not. */
export async function isOutOfDate(): Promise<boolean> {
  const own = pageData().build;
  try {
    const { build } = await call<{ readonly build: string }>("GET", "/house");
    return Boolean(own && build && own !== build && sessionStorage.getItem(TRIED) !== build && remember(build));
  } catch {
    return false; // it is away again; the next time it is back we ask again
  }
}

/** One try for each build: a cache on the way that keeps the old page must not make us load it for ever. */
function remember(build: string): boolean {
  sessionStorage.setItem(TRIED, build);
  return true;
}
