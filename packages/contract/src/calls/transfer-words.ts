export const transferKinds = ['copy', 'move', 'mirror'] as const;
export type TransferKind = (typeof transferKinds)[number];
/** Kinds that never touch other items of the destination. */
export type CopyKind = Exclude<TransferKind, 'mirror'>;

/**
 * Where a mirror keeps files that it replaces or deletes: in a dated folder next to the mirrored items, or only in the bin or versions of the
 * destination, if it has any.
 */
export const keepVersionsRules = ['folder', 'provider'] as const;
export type KeepVersionsRule = (typeof keepVersionsRules)[number];

/** What to do with a file whose name is taken: ask (the plan waits for a decision), skip it, keep both, replace, or replace an older file. */
export const transferConflictRules = ['fail', 'skip', 'rename', 'replace', 'newer'] as const;
export type TransferConflictRule = (typeof transferConflictRules)[number];

/** How copies are verified: by hashes if both ends report them, otherwise by reading back up to a limit; only by hashes; always by reading back; by size. */
export const verifyRules = ['auto', 'hashes', 'read_back', 'size'] as const;
export type VerifyRule = (typeof verifyRules)[number];

export const transferStates = ['planning', 'planned', 'running', 'paused', 'waiting', 'done', 'failed', 'canceled'] as const;
export type TransferState = (typeof transferStates)[number];

/** Planned action for an item. `merge`: the folder exists and gets missing items. `delete`: a mirror deletes it, as the source lacks it. `problem`: needs a decision, or is impossible. */
export const planActions = ['create', 'merge', 'replace', 'rename', 'skip', 'delete', 'problem'] as const;
export type PlanAction = (typeof planActions)[number];

/**
 * Why an item has its action. `name_characters`, `name_reserved`, `name_length` and `path_length`: the destination cannot store the name;
 * `case_twin`: it treats the name as equal to another item's, which differs only in case or Unicode normalisation.
 */
export const planReasons = [
  'name_taken',
  'kind_differs',
  'same_place',
  'older',
  'case_twin',
  'name_refused',
  'link',
  'too_large',
  'unreadable',
  'name_characters',
  'name_reserved',
  'name_length',
  'path_length',
  'folder_full',
  'unchanged',
  'not_at_source',
] as const;
export type PlanReason = (typeof planReasons)[number];

export const itemStates = ['waiting', 'running', 'done', 'failed', 'skipped'] as const;
export type TransferItemState = (typeof itemStates)[number];

/** How the copy of a file was verified. `provider_rewrote`: the service changes files of this type, so size and hash differ. */
export const proofs = ['hash', 'read_back', 'size', 'server_side', 'provider_rewrote', 'none'] as const;
export type Proof = (typeof proofs)[number];

/** Effect of an undo on an item. `left`: it has changed since, or its old file is no longer kept. */
export const undoResults = ['undone', 'left'] as const;
export type UndoResult = (typeof undoResults)[number];
