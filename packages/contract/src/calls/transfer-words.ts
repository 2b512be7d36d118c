export const transferKinds = ['copy', 'move', 'mirror'] as const;
export type TransferKind = (typeof transferKinds)[number];
/** Kinds that leave the other items of the destination alone. */
export type CopyKind = Exclude<TransferKind, 'mirror'>;

/**
 * Where a mirror keeps files that it replaces or deletes: in a dated folder beside the mirrored items, or only as far as the destination itself has
 * a bin or versions.
 */
export const keepVersionsRules = ['folder', 'provider'] as const;
export type KeepVersionsRule = (typeof keepVersionsRules)[number];

/** What to do with a file whose name is taken: ask (the plan waits for a decision), leave it out, keep both, replace, or replace an older one. */
export const transferConflictRules = ['fail', 'skip', 'rename', 'replace', 'newer'] as const;
export type TransferConflictRule = (typeof transferConflictRules)[number];

/** How copies are proven: by hashes where the ends report them, otherwise read back up to a limit; only by hashes; always read back; by size. */
export const verifyRules = ['auto', 'hashes', 'read_back', 'size'] as const;
export type VerifyRule = (typeof verifyRules)[number];

export const transferStates = ['planning', 'planned', 'running', 'paused', 'waiting', 'done', 'failed', 'canceled'] as const;
export type TransferState = (typeof transferStates)[number];

/** What the plan does with an item. `merge`: the folder exists and gets what is missing. `delete`: a mirror removes it, as the source does not have it. `problem`: needs a decision, or is impossible. */
export const planActions = ['create', 'merge', 'replace', 'rename', 'skip', 'delete', 'problem'] as const;
export type PlanAction = (typeof planActions)[number];

/**
 * Why an item has its action. `name_characters`, `name_reserved`, `name_length` and `path_length`: the destination cannot store the name;
 * `case_twin`: it takes another item's name for the same, by upper and lower case or by the Unicode form of accents.
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

/** How the copy of a file was proven. `provider_rewrote`: the service changes files of this type, so that size and hash differ. */
export const proofs = ['hash', 'read_back', 'size', 'server_side', 'provider_rewrote', 'none'] as const;
export type Proof = (typeof proofs)[number];

/** What an undo did with an item: `left` means that it has changed since, or that its old file is not kept any more. */
export const undoResults = ['undone', 'left'] as const;
export type UndoResult = (typeof undoResults)[number];
