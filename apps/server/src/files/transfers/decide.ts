import { type Entry, type NameFault, type StorageLimits, fitName } from '@sheaf/connectors';
import { type PlanAction, type PlanReason, type TransferConflictRule, type TransferKind, isBlank, isSegment } from '@sheaf/contract';
import { freeName } from '#/files/items/free-name.ts';
import type { TakenNames } from './planning/taken-names.ts';

/** What the plan does with an item. */
export interface Decision {
  readonly action: PlanAction;
  readonly reason: PlanReason | null;
  readonly name: string;
  /** Modification time of the item that has the name, 0 if unknown; null when the name is free. */
  readonly takenModified: number | null;
}

interface Question {
  readonly entry: Pick<Entry, 'name' | 'kind' | 'modified' | 'size' | 'isLink'>;
  /** The destination folder, and what is in it. */
  readonly folder: string;
  readonly taken: TakenNames;
  /** What the destination cannot store. */
  readonly limits?: StorageLimits | undefined;
  readonly rule: TransferConflictRule;
  /** Whether the item is at that path already. */
  readonly isSamePlace: (toName: string) => boolean;
  readonly kind: TransferKind;
}

/** Reasons for another name that the destination itself forces. */
export const reasonOfFault = {
  characters: 'name_characters',
  reserved: 'name_reserved',
  length: 'name_length',
  pathLength: 'path_length',
} as const satisfies Readonly<Record<NameFault, PlanReason>>;

/** Decides what happens to an item: its name may be taken, or the destination unable to store it as it is. */
export function decide(question: Question): Decision {
  const { entry, limits, folder } = question;
  const { name, kind } = entry;
  if (entry.isLink) return { action: 'skip', reason: 'link', name, takenModified: null };
  if (!isSegment(name) || isBlank(name)) return { action: 'problem', reason: 'name_refused', name, takenModified: null };
  const fitted = fitName(limits?.names, name, kind, folder);
  if (!fitted) return { action: 'problem', reason: 'path_length', name, takenModified: null };
  const decision = decideName(question, fitted.name);
  if (decision.action === 'skip') return decision;
  if (kind === 'file' && entry.size !== undefined && entry.size > (limits?.fileBytes ?? Number.POSITIVE_INFINITY))
    return { action: 'problem', reason: 'too_large', name: fitted.name, takenModified: null };
  if (decision.action !== 'create' || !fitted.fault) return decision;
  return { ...decision, action: 'rename', reason: reasonOfFault[fitted.fault] };
}

/** What happens to an item that is to have this name. */
export function decideName({ entry, taken, rule, isSamePlace, kind, limits, folder }: Question, name: string): Decision {
  const other = (takenModified: number | null) => renamed({ name, kind: entry.kind }, { taken, limits, folder }, takenModified);
  if (isSamePlace(name)) return kind === 'move' ? { action: 'skip', reason: 'same_place', name, takenModified: null } : other(null);
  const present = taken.find(name);
  if (!present) return { action: 'create', reason: null, name, takenModified: null };
  if (present.kind === 'folder' && entry.kind === 'folder')
    return { action: 'merge', reason: null, name: present.name, takenModified: null };
  const takenModified = present.modified ?? 0;
  if (rule === 'rename') return other(takenModified);
  if (present.kind !== entry.kind) return { action: 'problem', reason: 'kind_differs', name, takenModified };
  const { action, reason } = byRule(rule, entry.modified, takenModified);
  const isTwin = present.name !== name && reason === 'name_taken';
  return { action, reason: isTwin ? 'case_twin' : reason, name: present.name, takenModified };
}

/** What a rule other than `rename` does with a file whose name a file has. */
export function byRule(
  rule: Exclude<TransferConflictRule, 'rename'>,
  modified: number | undefined,
  takenModified: number,
): Pick<Decision, 'action' | 'reason'> {
  switch (rule) {
    case 'fail':
      return { action: 'problem', reason: 'name_taken' };
    case 'skip':
      return { action: 'skip', reason: 'name_taken' };
    case 'replace':
      return { action: 'replace', reason: 'name_taken' };
    case 'newer':
      return (modified ?? 0) > takenModified ? { action: 'replace', reason: 'name_taken' } : { action: 'skip', reason: 'older' };
  }
}

function renamed(
  { name, kind }: Pick<Entry, 'name' | 'kind'>,
  { taken, limits, folder }: Pick<Question, 'taken' | 'limits' | 'folder'>,
  takenModified: number | null,
): Decision {
  const free = numbered(name, kind, { limits, folder, isTaken: (folded) => taken.hasFolded(folded) });
  if (free === undefined) return { action: 'problem', reason: 'name_taken', name, takenModified };
  return { action: 'rename', reason: 'name_taken', name: free, takenModified };
}

/** The name with the lowest free number that the destination can store. */
export function numbered(
  name: string,
  kind: Entry['kind'],
  { limits, folder, isTaken }: Pick<Question, 'limits' | 'folder'> & { readonly isTaken: (folded: string) => boolean },
): string | undefined {
  const free = freeName(name, kind, isTaken);
  if (free === undefined) return undefined;
  const fitted = fitName(limits?.names, free, kind, folder);
  // A number that made the name too long was cut off with its end; the hash that came instead tells the copies apart as well.
  return fitted?.name;
}
