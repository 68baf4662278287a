/** An address that leads nowhere: what is not there, and the ways back. */
import "../../styles/lost.css";
import commonEn from "../../i18n/en/common.json";
import lostEn from "../../i18n/en/lost.json";
import commonHans from "../../i18n/zh-Hans/common.json";
import lostHans from "../../i18n/zh-Hans/lost.json";
import commonHant from "../../i18n/zh-Hant/common.json";
import lostHant from "../../i18n/zh-Hant/lost.json";
import { onward, t } from "../../lib/i18n.ts";
import { askedTable, houseName, startPage } from "../../lib/page.ts";
import type { PageData } from "../../lib/types.ts";
import { Die, Sprite } from "../../ui/dice.tsx";
import { Languages } from "../../ui/languages.tsx";

/** Beside the front door: for a live table, the pages that it does have. */
function Ways({ data, table }: { data: PageData; table: string }) {
  const at = `?table=${encodeURIComponent(table)}`;
  return (
    <nav class="ways" aria-label={t("lost_ways")}>
      <a class="solid" href={onward("/")}>
        {t("lost_home")}
      </a>
      {data.lost === "not-a-terminal" && (
        <a class="quiet" href={onward(`/display${at}`)}>
          {t("lost_display", { table })}
        </a>
      )}
    </nav>
  );
}

function Lost({ data }: { data: PageData }) {
  const table = askedTable(data);
  const why =
    data.lost === "table" ? "lost_table" : data.lost === "not-a-terminal" ? "lost_not_a_terminal" : "lost_page";
  return (
    <div class="nowhere">
      <Sprite />
      <header>
        <p class="house">{houseName(data)}</p>
        <Languages />
      </header>
      <main>
        <p class="dice" aria-hidden="true">
          <Die face={4} />
          <Die face={1} />
          <Die face={4} />
        </p>
        <h1>{t(why, { table })}</h1>
        <p>{t(`${why}_hint`, { table })}</p>
        <p class="address">
          <code>{location.pathname + location.search}</code>
        </p>
        <Ways data={data} table={table} />
      </main>
    </div>
  );
}

startPage(
  {
    en: { ...commonEn, ...lostEn },
    "zh-Hant": { ...commonHant, ...lostHant },
    "zh-Hans": { ...commonHans, ...lostHans },
  },
  (data) => <Lost data={data} />,
);
