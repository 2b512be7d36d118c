import { type Entry, joinPath } from '@sheaf/connectors';
import { type Decision, decide } from '../decide.ts';
import { type Ends, isSamePlace } from '../rows/ends.ts';
import type { NewItem } from '../rows/item-store.ts';
import type { TransferRow } from '../rows/store.ts';
import type { TakenNames } from './taken-names.ts';

/** Where an item comes from, and into which folder it goes. */
export interface Place {
  readonly ends: Ends;
  readonly transfer: TransferRow;
  readonly source: number;
  readonly parent: number | null;
  readonly seq: number;
  readonly fromPath: string;
  readonly toFolder: string;
}

/** The row of an item in the plan. */
export function rowOf(place: Place, entry: Entry, taken: TakenNames): NewItem {
  const { ends, transfer, source, parent, seq, fromPath } = place;
  const isFolder = entry.kind === 'folder';
  const decision = decide(questionOf(place, entry, taken));
  return {
    seq,
    parentSeq: parent,
    source,
    fromPath,
    isFolder: isFolder ? 1 : 0,
    size: isFolder ? null : (entry.size ?? null),
    modified: entry.modified === undefined ? null : Math.trunc(entry.modified),
    etag: entry.etag ?? null,
    ...plannedAs(place, decision),
    isListed: isFolder && !movesWhole(ends, transfer, decision.action) ? 0 : 1,
    isWhole: isFolder && movesWhole(ends, transfer, decision.action) ? 1 : 0,
  };
}

/** The columns that a decision sets. */
export const plannedAs = (
  { toFolder }: Pick<Place, 'toFolder'>,
  { action, reason, name, takenModified }: Decision,
): Pick<NewItem, 'toPath' | 'action' | 'reason' | 'takenModified' | 'state'> => ({
  toPath: joinPath(toFolder, name),
  action,
  reason,
  takenModified: takenModified === null ? null : Math.trunc(takenModified),
  state: action === 'skip' ? 'skipped' : 'waiting',
});

export const questionOf = (
  { ends, transfer: { kind, conflict }, fromPath, toFolder }: Pick<Place, 'ends' | 'transfer' | 'fromPath' | 'toFolder'>,
  entry: Pick<Entry, 'name' | 'kind' | 'modified' | 'size' | 'isLink'>,
  taken: TakenNames,
): Parameters<typeof decide>[0] => ({
  entry,
  folder: toFolder,
  taken,
  limits: ends.to.connector.limits,
  rule: conflict,
  kind,
  isSamePlace: (name) => isSamePlace(ends, fromPath, joinPath(toFolder, name)),
});

/** Whether the source can move a folder itself, with all that it holds. */
const movesWhole = ({ from, isSameLink }: Ends, { kind }: Pick<TransferRow, 'kind'>, action: Decision['action']): boolean =>
  kind === 'move' && isSameLink && from.connector.move !== undefined && from.path !== '/' && (action === 'create' || action === 'rename');
