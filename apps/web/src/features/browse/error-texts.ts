import { errorTable } from '@sheaf/contract';
import { CallError, messageOf } from '#/lib/http/call-error.ts';

/** Message for a folder that cannot be shown; `path` as the user sees it. */
export function browseErrorText(path: string, error: unknown): string {
  if (error instanceof CallError && error.errorCode === errorTable.INVALID_CREDENTIALS.code) {
    return `Cannot access ${path}. Your ${path} link credentials are not valid.`;
  }
  return `Cannot browse ${path}. ${messageOf(error)}`;
}

export const addFolderErrorText = (error: unknown): string => `Cannot add folder. ${messageOf(error)}`;
export const renameErrorText = (name: string, error: unknown): string => `Cannot rename ${name}. ${messageOf(error)}`;
export const deleteErrorText = (name: string, error: unknown): string => `Cannot delete ${name}. ${messageOf(error)}`;
