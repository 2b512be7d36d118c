/** Copies a text to the clipboard. Where the page may not (no https), copies from a field as the user would; false when that fails too. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  const before = document.activeElement;
  // A dialog does not let the focus leave.
  (before?.closest('[role=dialog]') ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- what takes its place needs https, and an own server may have none
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
