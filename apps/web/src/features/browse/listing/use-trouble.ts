import { useEffect } from 'react';
import { browseErrorText } from '#/features/browse/error-texts.ts';
import { notifyWhile } from '#/ui/feedback/notify.ts';

/** Tells why the place at `path` cannot be shown, for as long as that is so. */
export function useTrouble(path: string, error: unknown): void {
  useEffect(() => (error ? notifyWhile(browseErrorText(path, error)) : undefined), [error, path]);
}
