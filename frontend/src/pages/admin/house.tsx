/** The house as it is in force: health, backups, keys, the witness, tables and settings. Nothing is changed here. */
import { Fragment } from "preact";
import type { AdminTableView, HouseKeyView, InstallationView, SettingView, WitnessView } from "../../http.ts";
import { has, type Key, named, t } from "../../lib/i18n.ts";
import { Icon } from "../../ui/icon.tsx";
import { figure } from "../../ui/staff/numbers.ts";
import { cashSpan } from "../../ui/staff/session.ts";
import { dateTime } from "../../ui/staff/times.ts";
import { health, lookAtHealth, looking } from "./model.ts";

const HOUR = 3_600_000;
const OLD = 24 * HOUR;

/** How long ago, in hours and, from two days on, in days. */
const age = (ms: number): string =>
  ms < 2 * OLD ? t("admin_hours", { n: Math.floor(ms / HOUR) }) : t("admin_days", { n: Math.floor(ms / OLD) });

export function Health() {
  const found = health.value;
  const wrong = found?.findings.filter((one) => one.level !== "ok") ?? [];
  const fine = found?.findings.filter((one) => one.level === "ok") ?? [];
  return (
    <section class="card" aria-labelledby="health-head">
      <h2 id="health-head">
        <Icon name="shield" /> {t("admin_health")}
      </h2>
      <p class="small">{t("admin_health_text")}</p>
      <button type="button" class="solid" aria-disabled={looking} onClick={() => void lookAtHealth()}>
        {t(looking.value ? "admin_looking" : "admin_look")}
      </button>
      {found && (
        <div class="verdict" data-sound={found.worst !== "failed"} role="status">
          <p class="verdict-word">
            <Icon name={found.worst === "ok" ? "check" : "alarm"} />
            {t(`admin_worst_${found.worst}` as Key)}
          </p>
          <p class="small">{dateTime(found.at)}</p>
          <ul class="findings-list" lang="en">
            {wrong.map((one) => (
              <li data-level={one.level}>
                <b>{one.check}</b>: {one.found}
                <small>
                  {one.expected && `expected: ${one.expected}. `}
                  {one.advice}
                </small>
              </li>
            ))}
          </ul>
          <details>
            <summary>{t("admin_fine", { n: fine.length })}</summary>
            <ul class="findings-list" lang="en">
              {fine.map((one) => (
                <li>
                  <b>{one.check}</b>: {one.found}
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </section>
  );
}

function Backup({ of }: { of: InstallationView }) {
  const last = of.backup;
  const old = last !== null && of.at - last.at > 7 * OLD;
  return (
    <section class="card" aria-labelledby="backup-head">
      <h2 id="backup-head">
        <Icon name="save_file" /> {t("admin_backup")}
      </h2>
      {last ? (
        <p data-wrong={old}>
          {t("admin_backup_last", { time: dateTime(last.at), age: age(of.at - last.at), size: figure(last.bytes) })}
          <small class="path">{last.where}</small>
        </p>
      ) : (
        <p data-wrong={of.backup_known}>{t(of.backup_known ? "admin_backup_none" : "admin_backup_unknown")}</p>
      )}
      <p class="small">{t("admin_backup_text")}</p>
    </section>
  );
}

const keyWords = (name: string): string =>
  has(`admin_key_${name}`) ? t(`admin_key_${name}` as Key) : t("admin_key_check", { name });

function Keys({ of }: { of: readonly HouseKeyView[] }) {
  return (
    <section class="card" aria-labelledby="keys-head">
      <h2 id="keys-head">{t("admin_keys")}</h2>
      <dl class="keys">
        {of.map((one) => (
          <div>
            <dt>{keyWords(one.name)}</dt>
            <dd>
              <code>{one.id}</code>
              {one.where && <small class="path">{one.where}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <p class="small">{t("admin_keys_text")}</p>
    </section>
  );
}

function Witness({ of }: { of: WitnessView | null }) {
  return (
    <section class="card" aria-labelledby="witness-head">
      <h2 id="witness-head">{t("admin_witness")}</h2>
      {of ? (
        <>
          <p data-wrong={of.trouble !== ""}>
            {of.trouble
              ? t("admin_witness_trouble", { why: of.trouble })
              : t("admin_witness_told", { time: of.told_at === null ? "–" : dateTime(of.told_at) })}
            <small class="path">{of.where}</small>
          </p>
          <ul class="small">
            {of.writers.map((one) => (
              <li>
                {t("admin_witness_tip", {
                  writer: one.writer,
                  commits: figure(one.commits),
                  lag: one.witnessed === null ? "–" : figure(one.commits - one.witnessed),
                })}
              </li>
            ))}
          </ul>
          {of.required && <p class="small">{t("admin_witness_required")}</p>}
        </>
      ) : (
        <p>{t("admin_witness_none")}</p>
      )}
    </section>
  );
}

const limitsOf = ({ settings }: AdminTableView): string => (settings ? cashSpan(settings.limits.default) : "–");

export function Tables({ of }: { of: readonly AdminTableView[] }) {
  return (
    <section class="card" aria-labelledby="tables-head">
      <h2 id="tables-head">{t("admin_tables")}</h2>
      <div class="scroll" tabIndex={0} role="group" aria-label={t("admin_tables")}>
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">{t("admin_table")}</th>
              <th scope="col">{t("admin_kind")}</th>
              <th scope="col">{t("admin_rules")}</th>
              <th scope="col">{t("admin_limits")}</th>
            </tr>
          </thead>
          <tbody>
            {of.map((table) => (
              <tr>
                <th scope="row">
                  {table.name} <small>{named(table.titles)}</small>
                  {table.closed && <small class="tag">{t("admin_closed")}</small>}
                </th>
                <td>{t(table.kind === "cluster" ? "admin_cluster" : "admin_live")}</td>
                <td>
                  {table.settings?.pay_table ?? "–"}
                  {table.planned && (
                    <small>
                      {t("rules_next", { time: dateTime(table.planned_at!), rules: table.planned.pay_table })}
                    </small>
                  )}
                </td>
                <td>{limitsOf(table)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="small">{t("admin_tables_text")}</p>
    </section>
  );
}

export function Settings({ of }: { of: readonly SettingView[] }) {
  const sections = [...new Set(of.map((one) => one.section))];
  return (
    <section class="card whole" aria-labelledby="settings-head">
      <h2 id="settings-head">{t("admin_settings")}</h2>
      <p class="small">{t("admin_settings_text")}</p>
      {sections.map((section) => {
        const all = of.filter((one) => one.section === section);
        const own = all.filter((one) => !one.is_default);
        return (
          <details key={section}>
            <summary>
              <code>[{section}]</code> {t("admin_own", { n: own.length, all: all.length })}
            </summary>
            <dl class="settings">
              {all.map((one) => (
                <Fragment key={one.name}>
                  <dt>
                    <code>{one.name}</code>
                  </dt>
                  <dd>
                    <code>{one.value || "–"}</code>
                    <small class="tag" data-good={!one.is_default}>
                      {t(one.is_default ? "admin_default" : "admin_set")}
                    </small>
                  </dd>
                </Fragment>
              ))}
            </dl>
          </details>
        );
      })}
    </section>
  );
}

/** What ties the record to the outside. */
export function Ties({ of }: { of: InstallationView }) {
  return (
    <>
      <Backup of={of} />
      <Keys of={of.keys} />
      <Witness of={of.witness} />
    </>
  );
}
