/** A dialog over the table: the browser's own, which keeps focus inside and gives it back. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../lib/i18n.ts";
import { Icon } from "./icon.tsx";

export interface DialogProps {
  readonly title: string;
  readonly name: string;
  /** Without it the dialog must be answered: no cross, and Escape does nothing. */
  readonly close?: () => void;
  readonly wide?: boolean;
  /** At the side of the table, from top to bottom. */
  readonly drawer?: boolean;
  readonly children: ComponentChildren;
}

export function Dialog({ title, name, close, wide = false, drawer = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!dialog) return undefined;
    const back = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`panel${wide ? " wide" : ""}${drawer ? " drawer" : ""}`}
      data-panel={name}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
      onClick={(event) => {
        if (event.target === element.current) close?.();
      }}
    >
      <div class="panel-inside">
        <header class="panel-head">
          <h2 id={id}>{title}</h2>
          {close && (
            <button type="button" class="quiet square" onClick={close} aria-label={t("close")}>
              <Icon name="close" />
            </button>
          )}
        </header>
        <div class="panel-body">{children}</div>
      </div>
    </dialog>
  );
}
