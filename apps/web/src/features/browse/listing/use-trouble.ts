import { useEffect } from 'react';
import { browseErrorText } from '#/features/browse/error-texts.ts';
import { notifyWhile } from '#/ui/feedback/notify.ts';

/** Shows a notification while the folder at `path` cannot be shown. */
export function useTrouble(path: string, error: unknown): void {
  useEffect(() => (error ? notifyWhile(browseErrorText(path, error)) : undefined), [error, path]);
}
