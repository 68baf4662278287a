/** A server that came back with other pages: what was loaded before it is out of date. */
import { call } from "./api.ts";
import { pageData } from "./page.ts";

const TRIED = "taisai.build-tried";

/** The build of the server's pages where it is another than this page's, else nothing; when in doubt it is the same. */
export async function otherBuild(): Promise<string> {
  const own = pageData().build;
  try {
    const { build } = await call<{ readonly build: string }>("GET", "/house");
    return own && own !== build ? build : "";
  } catch {
    return ""; // it is away again; the next time it is back we ask again
  }
}

/** Whether a page that reloads by itself should do so now. */
export async function isOutOfDate(): Promise<boolean> {
  const build = await otherBuild();
  return build !== "" && sessionStorage.getItem(TRIED) !== build && remember(build);
}

/** One try for each build: a cache on the way that keeps the old page must not make us load it for ever. */
function remember(build: string): boolean {
  sessionStorage.setItem(TRIED, build);
  return true;
}
