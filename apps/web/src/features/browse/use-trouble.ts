import { useEffect } from 'react';
import { notifyWhile } from '#/ui/notify.ts';
import { browseErrorText } from './error-texts.ts';

/** Tells why the place at `path` cannot be shown, for as long as that is so. */
export function useTrouble(path: string, error: unknown): void {
  useEffect(() => (error ? notifyWhile(browseErrorText(path, error)) : undefined), [error, path]);
}
