import { errorTable } from '@sheaf/contract';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';

/** Message for a folder that cannot be shown; `path` as the user sees it. */
export function browseErrorText(path: string, error: unknown): string {
  if (error instanceof CallError && error.errorCode === errorTable.INVALID_CREDENTIALS.code) {
    return `Cannot access ${path}. Your ${path} link credentials are not valid.`;
  }
  return `Cannot browse ${path}. ${errorText(error)}`;
}

export const addFolderErrorText = (error: unknown): string => `Cannot add folder. ${errorText(error)}`;
export const renameErrorText = (name: string, error: unknown): string => `Cannot rename ${name}. ${errorText(error)}`;
export const deleteErrorText = (name: string, error: unknown): string => `Cannot delete ${name}. ${errorText(error)}`;
