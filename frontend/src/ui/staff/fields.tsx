/** The fields that staff fill in: a reason, an amount, a choice. */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { t } from "../../lib/i18n.ts";
import { readMoney } from "./money-entry.ts";
import { notice } from "./notice.tsx";
import { cash, currency } from "./session.ts";

interface FieldProps {
  readonly label: string;
  readonly of: Signal<string>;
  readonly hint?: string;
  readonly required?: boolean;
  readonly list?: readonly string[];
}

export function TextField({ label, of, hint, required = false, list }: FieldProps) {
  const id = useId();
  const more: Record<string, string> = {
    ...(hint ? { "aria-describedby": `${id}-hint` } : {}),
    ...(list ? { list: `${id}-list` } : {}),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        autoComplete="off"
        value={of}
        required={required}
        {...more}
        onInput={(event) => (of.value = event.currentTarget.value)}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="small" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** An amount in the house's currency, with what was understood beside it. */
export function MoneyField({ label, of, optional = false }: { label: string; of: Signal<string>; optional?: boolean }) {
  const id = useId();
  const minor = readMoney(of.value, currency.value.exponent);
  const wrong = of.value.trim() !== "" && minor === null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="money-field">
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={of}
          required={!optional}
          aria-invalid={wrong}
          aria-describedby={`${id}-read`}
          onInput={(event) => (of.value = event.currentTarget.value)}
        />
        <output id={`${id}-read`} for={id} data-wrong={wrong}>
          {wrong ? t("no_amount") : minor === null ? "" : cash(minor)}
        </output>
      </div>
    </div>
  );
}

export const amountIn = (of: Signal<string>): number | null => readMoney(of.value, currency.value.exponent);

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly of: Signal<T>;
  readonly options: readonly { readonly value: T; readonly text: string; readonly hint?: string }[];
}

/** One of a few, all of them in view. */
export function Choice<T extends string>({ label, of, options }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="options">
      <legend>{label}</legend>
      {options.map(({ value, text, hint }) => (
        <label class="option">
          <input
            type="radio"
            name={name}
            value={value}
            checked={of.value === value}
            onChange={() => (of.value = value)}
          />
          <span>
            {text}
            {hint && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function Switch({ label, of, hint }: { label: string; of: Signal<boolean>; hint?: string }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={of.value}
        onChange={(event) => (of.value = event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}

interface FormProps {
  readonly submit: string;
  readonly ready: boolean;
  readonly danger?: boolean;
  readonly cancel?: () => void;
  readonly run: () => Promise<boolean | void>;
  readonly children: ComponentChildren;
}

/** A form that runs once at a time; `ready` says whether it is filled in. */
export function ActForm({ submit, ready, danger = false, cancel, run, children }: FormProps) {
  const busy = useSignal(false);
  const fault = useSignal("");
  const go = async (event: Event) => {
    event.preventDefault();
    if (!ready || busy.value) return;
    busy.value = true;
    fault.value = "";
    const before = notice.value;
    try {
      await run();
      // A dialog covers the notice: what was refused is said in the form too.
      if (notice.value !== before && notice.value?.kind === "refused") fault.value = notice.value.text;
    } finally {
      busy.value = false;
    }
  };
  return (
    <form class="act-form" onSubmit={(event) => void go(event)}>
      {children}
      {fault.value && <p class="fault">{fault}</p>}
      <div class="choice">
        {cancel && (
          <button type="button" class="quiet" onClick={cancel}>
            {t("cancel")}
          </button>
        )}
        <button type="submit" class={danger ? "solid danger" : "solid"} aria-disabled={!ready || busy.value}>
          {submit}
        </button>
      </div>
    </form>
  );
}
