/** Whose money it is: which document was looked at, and the last characters of its number. */
import { type Signal, useSignal } from "@preact/signals";
import { type Key, t } from "../../lib/i18n.ts";
import { Choice, TextField } from "./fields.tsx";

const DOCUMENTS = ["identity-card", "passport", "driving-licence", "other"] as const;

export interface IdentityEntry {
  readonly document: Signal<(typeof DOCUMENTS)[number]>;
  readonly last: Signal<string>;
}

export const useIdentity = (): IdentityEntry => ({
  document: useSignal<(typeof DOCUMENTS)[number]>("identity-card"),
  last: useSignal(""),
});

/** The identity as it is sent; none while too little was typed. */
export function identityIn({ document, last }: IdentityEntry): { document: string; last: string } | null {
  const typed = last.value.trim();
  return /^[0-9A-Za-z]{3,4}$/.test(typed) ? { document: document.value, last: typed } : null;
}

export function IdentityFields({ of }: { of: IdentityEntry }) {
  return (
    <>
      <Choice
        label={t("identity_checked")}
        of={of.document}
        options={DOCUMENTS.map((value) => ({ value, text: t(`identity_${value.replace("-", "_")}` as Key) }))}
      />
      <TextField label={t("identity_last")} of={of.last} required />
    </>
  );
}
