import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus among the buttons of a list by the arrow keys; returns whether the key was one of them. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): boolean {
  const step = steps[event.key];
  if (step === undefined || !(event.target instanceof HTMLButtonElement)) return false;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const at = buttons.indexOf(event.target);
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
  return true;
}
