/** What the terminal shows of its own checks: the commitment, that the slip was found, and an alarm if something does not fit. */
import { t } from "../../lib/i18n.ts";
import type { Proving } from "./proving.ts";

const HASH_SHOWN = 16;

/** At the foot of the page, from the opening on. */
export function Commitment({ proving }: { proving: Proving }) {
  const hash = proving.commitment.value;
  return (
    <>
      {hash && (
        <span class="commitment" title={t("proof_commitment_hint", { hash })}>
          {t("proof_commitment", { hash: hash.slice(0, HASH_SHOWN) })}
        </span>
      )}
      {proving.proved.value && <span class="proved">✓ {t("proof_proved")}</span>}
    </>
  );
}

export function ProofAlarm({ proving }: { proving: Proving }) {
  const alarm = proving.alarm.value;
  if (!alarm) return null;
  return (
    <section class="proof-alarm" aria-label={t("proof_alarm")}>
      <strong>{t("proof_alarm")}</strong>
      <p>{t(`proof_${alarm.doubt}`, { round: alarm.round })}</p>
      <p>{t("proof_alarm_hint")}</p>
      <button type="button" class="solid" onClick={proving.seen}>
        {t("proof_seen")}
      </button>
    </section>
  );
}
