import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { screenText } from '#/lib/http/screen-text.ts';

/** Message for a folder that cannot be shown; `path` as the user sees it. */
export function browseErrorText(path: string, error: unknown): string {
  if (error instanceof CallError && error.is('INVALID_CREDENTIALS', 'KEY_REFUSED')) {
    return screenText('BROWSE_LOGIN_REFUSED', { path });
  }
  return screenText('BROWSE_FAILED', { path, message: errorText(error) });
}

export const addFolderErrorText = (error: unknown): string => screenText('ADD_FOLDER_FAILED', { message: errorText(error) });
export const renameErrorText = (name: string, error: unknown): string =>
  screenText('RENAME_FAILED', { item: name, message: errorText(error) });
export const deleteErrorText = (name: string, error: unknown): string =>
  screenText('DELETE_FAILED', { item: name, message: errorText(error) });
