import type {
  PlanAction,
  PlanItem,
  PlanReason,
  Proof,
  TransferConflictRule,
  TransferItemState,
  TransferState,
  VerifyRule,
} from '@sheaf/contract';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import { lastName } from '#/lib/transfers/words.ts';

/** Actions of a plan, as headings of their counts. */
export const actionWords: Readonly<Record<PlanAction, string>> = {
  problem: 'To decide',
  create: 'New',
  merge: 'Merged',
  replace: 'Replaced',
  rename: 'Renamed',
  skip: 'Skipped',
  delete: 'Deleted',
};

const reasonWords: Readonly<Record<PlanReason, string>> = {
  name_taken: 'The name is taken there',
  kind_differs: 'There, a folder has the name of a file, or a file that of a folder',
  same_place: 'It is there already',
  older: 'The one there is not older',
  case_twin: 'Another name differs only in upper and lower case, or in how accents are written',
  name_refused: 'The destination does not allow this name',
  link: 'Links to other places are left out',
  too_large: 'It is larger than the destination accepts',
  unreadable: 'It cannot be read',
  name_characters: 'The destination does not allow characters of this name',
  name_reserved: 'The destination reserves this name',
  name_length: 'The name is too long for the destination',
  path_length: 'Folder and name together are too long for the destination',
  folder_full: 'The destination allows no more items in this folder',
  unchanged: 'It is the same there already',
  not_at_source: 'The source does not have it',
};

export const itemStateWords: Readonly<Record<TransferItemState, string>> = {
  running: 'Under way',
  waiting: 'To come',
  done: 'Done',
  failed: 'Failed',
  skipped: 'Skipped',
};

export const stateWords: Readonly<Record<TransferState, string>> = {
  planning: 'Planning',
  planned: 'Needs a decision',
  running: 'Running',
  paused: 'Paused',
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Cancelled',
};

/** How copies are to be verified. */
export const verifyWords: Readonly<Record<VerifyRule, string>> = {
  auto: 'Automatically',
  hashes: 'By hash where there is one',
  read_back: 'Read all back',
  size: 'By size only',
};

/** How copies were proven, the strongest first. */
export const proofWords: Readonly<Record<Proof, { readonly title: string; readonly text: string }>> = {
  hash: { title: 'Verified by hash', text: 'What was read and what was stored have the hashes that the storages report' },
  read_back: { title: 'Read back', text: 'Downloaded again and compared' },
  server_side: { title: 'Copied by the storage', text: 'The storage copied it itself; no byte came through here' },
  size: { title: 'Size only', text: 'The storage reports no hash, so only the sizes were compared' },
  provider_rewrote: { title: 'Changed by the storage', text: 'The storage rewrites files of this type after upload. This is expected' },
  none: { title: 'Not verified', text: 'Nothing could be compared' },
};

export const ruleWords: Readonly<Record<TransferConflictRule, string>> = {
  fail: 'Ask',
  skip: 'Skip',
  rename: 'Keep both',
  replace: 'Replace',
  newer: 'Replace if newer',
};

/** Answers to a taken name. */
export type DecisionRule = Exclude<TransferConflictRule, 'fail'>;
export const decisionRules: readonly DecisionRule[] = ['skip', 'rename', 'replace', 'newer'];

/** Rules that can decide an item; none where it can only be left out. */
export function rulesFor({ action, reason }: Pick<PlanItem, 'action' | 'reason'>): readonly DecisionRule[] {
  if (action !== 'problem') return [];
  if (reason === 'name_taken' || reason === 'case_twin') return decisionRules;
  return reason === 'kind_differs' ? ['skip', 'rename'] : [];
}

/** What the plan does with an item, or has done, as a sentence. */
export function sayOf({
  action,
  reason,
  to,
  state,
  proof,
  undo,
  error,
}: Pick<PlanItem, 'action' | 'reason' | 'to' | 'state' | 'proof' | 'undo' | 'error'>): string {
  if (undo) return undo === 'undone' ? 'Undone' : 'Stayed: it has changed since';
  if (error) return errorAnswerText(error);
  if (state === 'failed') return 'Failed';
  if (state === 'done' && proof) return proofWords[proof].title;
  if (action === 'rename')
    return reason && reason !== 'name_taken' ? `Becomes ${lastName(to)}. ${reasonWords[reason]}` : `Kept as ${lastName(to)}`;
  if (action === 'replace') return 'Replaces the one there';
  if (action === 'merge') return 'Adds to the folder that is there';
  if (action === 'create') return 'New';
  if (action === 'delete') return state === 'done' ? 'Deleted there' : 'Is deleted there: the source does not have it';
  return reason ? reasonWords[reason] : action === 'skip' ? 'Left out' : 'Needs a decision';
}
