import { type Connector, type Entry, joinPath, nameOf, isTemporary } from '@sheaf/connectors';
import type { PlanReason } from '@sheaf/contract';
import { decideName } from '../decide.ts';
import type { Ends } from '../rows/ends.ts';
import type { ItemRow, ItemStore, NewItem } from '../rows/item-store.ts';
import type { TransferRow } from '../rows/store.ts';
import { type Namesakes, createNamesakes, nameBeside } from './namesakes.ts';
import { plannedAs, questionOf, rowOf } from './rows.ts';
import type { TakenNames } from './taken-names.ts';

/** Rows that are stored together. */
const batchSize = 500;

interface Folder {
  readonly transfer: TransferRow;
  readonly ends: Ends;
  readonly folder: Pick<ItemRow, 'seq' | 'source' | 'fromPath' | 'toPath'>;
  /** What is in it at the destination. */
  readonly taken: TakenNames;
  readonly firstSeq: number;
}

/** Stores a plan for each entry of a folder; returns the next free number. `isWanted` leaves entries out. */
export async function planEntries(
  items: ItemStore,
  { transfer, ends, folder, taken, firstSeq }: Folder,
  batches: AsyncIterable<readonly Entry[]>,
  isWanted: (entry: Entry) => boolean = () => true,
): Promise<number> {
  const limits = ends.to.connector.limits;
  const namesakes = createNamesakes(limits?.names);
  const room = limits?.folderItems ?? Number.POSITIVE_INFINITY;
  let present = taken.size();
  let seq = firstSeq;
  let rows: NewItem[] = [];
  for await (const batch of batches) {
    for (const entry of batch) {
      // An upload that is under way is not a file yet.
      if (isTemporary(entry.name) || !isWanted(entry)) continue;
      const fromPath = joinPath(folder.fromPath, entry.name);
      const row = rowOf(
        { ends, transfer, source: folder.source, parent: folder.seq, seq, fromPath, toFolder: folder.toPath },
        entry,
        taken,
      );
      const isNew = row.action === 'create' || row.action === 'rename';
      if (isNew) present += 1;
      if (isKept(row)) namesakes.add(row);
      rows.push(isNew && present > room ? { ...row, action: 'problem', reason: 'folder_full', isListed: 1, isWhole: 0 } : row);
      seq += 1;
      if (rows.length < batchSize) continue;
      await items.insert(transfer.id, rows);
      rows = [];
    }
  }
  await items.insert(transfer.id, rows);
  if (namesakes.mayExist()) await settle(items, { transfer, ends, folder, taken, firstSeq }, namesakes);
  return seq;
}

/** Whether the name at the destination is the item's, now or from an earlier copy. */
const isKept = ({ reason }: Pick<NewItem, 'reason'>): boolean => reason === null || !nameless.includes(reason);
const nameless: readonly PlanReason[] = ['link', 'name_refused', 'path_length', 'same_place'];

/** Gives items of one name at the destination different names, the same ones in each copy. */
async function settle(items: ItemStore, { transfer, ends, folder, taken, firstSeq }: Folder, namesakes: Namesakes): Promise<void> {
  for (let from = firstSeq; ;) {
    const rows = await items.from(transfer.id, from, batchSize);
    for (const row of rows) if (isKept(row)) namesakes.collect(row);
    from = (rows.at(-1)?.seq ?? from) + 1;
    if (rows.length < batchSize) break;
  }
  const rules = ends.to.connector.limits?.names;
  for (const item of namesakes.settle()) {
    const name = nameBeside(rules, item, folder.toPath);
    const [row] = await items.from(transfer.id, item.seq, 1);
    if (!row) continue;
    if (name === undefined) {
      await items.plan(transfer.id, item.seq, { action: 'problem', reason: 'path_length', takenModified: null });
      continue;
    }
    const place = { ends, transfer, fromPath: row.fromPath, toFolder: folder.toPath };
    const entry = { name: nameOf(row.fromPath), kind: row.isFolder === 1 ? ('folder' as const) : ('file' as const) };
    const modified = row.modified === null ? {} : { modified: row.modified };
    const decision = decideName(questionOf(place, { ...entry, ...modified }, taken), name);
    const isNew = decision.action === 'create';
    await items.plan(transfer.id, item.seq, {
      ...plannedAs(place, isNew ? { ...decision, action: 'rename', reason: 'case_twin' } : decision),
      ...(row.isFolder === 1 && row.isWhole === 0 && { isListed: 0 }),
    });
  }
}

/** Names of a folder's entries that are not in `known`. */
export async function* unknownOf(
  connector: Pick<Connector, 'list'>,
  path: string,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): AsyncGenerator<readonly Entry[]> {
  for await (const batch of connector.list(path, { signal })) {
    const unknown = batch.filter(({ name }) => !known.has(joinPath(path, name)));
    if (unknown.length > 0) yield unknown;
  }
}
