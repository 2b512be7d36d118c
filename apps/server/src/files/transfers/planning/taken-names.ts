import { type Connector, type Entry, type NameRules, nameKey } from '@sheaf/connectors';
import { foldName } from '@sheaf/contract';

/** An item of the destination folder. */
export type TakenItem = Pick<Entry, 'name' | 'kind' | 'modified'>;

/** The names of a destination folder, compared as the destination compares them. */
export interface TakenNames {
  /** The item to which the name belongs there. */
  find(name: string): TakenItem | undefined;
  /** Whether a name with this folded form is there. */
  hasFolded(folded: string): boolean;
  add(item: TakenItem): void;
  /** Number of items. */
  size(): number;
}

export function createTakenNames(rules: NameRules | undefined): TakenNames {
  const byKey = new Map<string, TakenItem>();
  /** Built when first needed: most folders number no name. */
  let folded: Set<string> | undefined;
  return {
    find: (name) => byKey.get(nameKey(rules, name)),
    hasFolded(wanted) {
      folded ??= new Set([...byKey.values()].map(({ name }) => foldName(name)));
      return folded.has(wanted);
    },
    add({ name, kind, modified }) {
      byKey.set(nameKey(rules, name), { name, kind, ...(modified !== undefined && { modified }) });
      folded?.add(foldName(name));
    },
    size: () => byKey.size,
  };
}

/** The names of a folder at the destination; batches come from the source itself or from a stored listing. */
export async function takenIn(connector: Connector, batches: AsyncIterable<readonly Entry[]>): Promise<TakenNames> {
  const taken = createTakenNames(connector.limits?.names);
  for await (const batch of batches) for (const entry of batch) taken.add(entry);
  return taken;
}
