import type { EditedText } from './editing.ts';

/** Typed text that is not saved, with the version it was typed into. */
export interface Draft {
  readonly read: EditedText;
  readonly text: string;
}

/** Unsaved texts by the key of their file, kept in memory until they are saved or given up: an editor that closes for any reason loses nothing. */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string): Draft | undefined => drafts.get(key);
export const keepDraft = (key: string, draft: Draft): void => void drafts.set(key, draft);
export const dropDraft = (key: string): void => void drafts.delete(key);
