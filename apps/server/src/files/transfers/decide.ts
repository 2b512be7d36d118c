import type { Entry } from '@sheaf/connectors';
import { type PlanAction, type PlanReason, type TransferConflictRule, foldName } from '@sheaf/contract';
import { freeName } from '#/files/items/free-name.ts';

/** What the plan does with an item. */
export interface Decision {
  readonly action: PlanAction;
  readonly reason: PlanReason | null;
  readonly name: string;
  /** Modification time of the item that has the name, 0 if unknown; null when the name is free. */
  readonly takenModified: number | null;
}

type Taken = Pick<Entry, 'kind' | 'modified'>;

interface Question {
  readonly entry: Pick<Entry, 'name' | 'kind' | 'modified'>;
  /** Entries of the destination folder by name. */
  readonly taken: ReadonlyMap<string, Taken>;
  readonly rule: TransferConflictRule;
  /** The item is to be copied to where it is. */
  readonly isSamePlace: boolean;
  readonly kind: 'copy' | 'move';
}

/** Decides what happens to an item whose name may be taken. */
export function decide({ entry, taken, rule, isSamePlace, kind }: Question): Decision {
  const { name } = entry;
  if (isSamePlace) {
    if (kind === 'move') return { action: 'skip', reason: 'same_place', name, takenModified: null };
    return renamed(entry, taken, null);
  }
  const present = taken.get(name);
  if (!present) return { action: 'create', reason: null, name, takenModified: null };
  if (present.kind === 'folder' && entry.kind === 'folder') return { action: 'merge', reason: null, name, takenModified: null };
  const takenModified = present.modified ?? 0;
  if (present.kind !== entry.kind)
    return rule === 'rename' ? renamed(entry, taken, takenModified) : { action: 'problem', reason: 'kind_differs', name, takenModified };
  if (rule === 'rename') return renamed(entry, taken, takenModified);
  return { ...byRule(rule, entry.modified, takenModified), name, takenModified };
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

function renamed({ name, kind }: Question['entry'], taken: Question['taken'], takenModified: number | null): Decision {
  const folded = new Set([...taken.keys()].map(foldName));
  const free = freeName(name, kind, (candidate) => folded.has(candidate));
  if (free === undefined) return { action: 'problem', reason: 'name_taken', name, takenModified };
  return { action: 'rename', reason: 'name_taken', name: free, takenModified };
}
