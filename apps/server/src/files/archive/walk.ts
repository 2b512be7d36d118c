import { type Connector, type Entry, joinPath, nameOf, isTemporary } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { readWholeFolder } from '#/files/listings/whole-folder.ts';
import { createNames, longestPath, safeName } from './entry-names.ts';

/** An item for an archive. */
export interface ArchiveItem {
  /** The link's name, used for its root. */
  readonly name: string;
  readonly path: string;
  /** The provider's title, for errors. */
  readonly provider: string;
  readonly connector: Connector;
  /** The account whose storage it is in. */
  readonly userId: string;
}

/** A file or a folder of an archive. */
export interface ArchiveEntry extends Omit<ArchiveItem, 'name'> {
  /** Its path in the archive; a folder's ends with a slash. */
  readonly name: string;
  readonly entry: Entry;
}

interface Rule {
  /** Whether to include files that are symbolic links; linked folders never are, because they can form cycles. */
  readonly takesLinks: boolean;
  readonly signal: AbortSignal;
}

/** Deeper nesting is treated as a cycle. */
const deepest = 100;

/**
 * The items with the content of folders, each folder before its content and names in order, so that the same content always gives the same archive.
 * Lists each folder completely when its turn comes, because an open listing must not wait for another call of its link.
 */
export async function* walk(items: readonly ArchiveItem[], rule: Rule): AsyncGenerator<ArchiveEntry> {
  const nameOnce = createNames();
  for (const item of items) {
    const { path, connector } = item;
    const isRoot = path === '/';
    const entry: Entry = isRoot ? { name: '', kind: 'folder' } : await connector.stat(path, { signal: rule.signal });
    const name = safeName(isRoot ? item.name : nameOf(path)) ?? '_';
    yield* walkEntry({ ...item, entry, name: nameOnce(name, entry.kind) }, rule, 0);
  }
}

async function* walkEntry(at: ArchiveEntry, rule: Rule, depth: number): AsyncGenerator<ArchiveEntry> {
  if (Buffer.byteLength(at.name) >= longestPath || depth > deepest) throw appError('SOURCE_CONFUSED', { provider: at.provider });
  if (at.entry.kind === 'file') return yield at;
  yield { ...at, name: `${at.name}/` };
  const nameOnce = createNames();
  const { takesLinks, signal } = rule;
  const isWanted = ({ name, kind, isLink }: Entry): boolean =>
    safeName(name) !== undefined && !isTemporary(name) && (!isLink || (takesLinks && kind === 'file'));
  const { entries, release } = await readWholeFolder({ ...at, isWanted, signal });
  // An archive that nobody reads further is not always returned from.
  signal.addEventListener('abort', release, { once: true });
  try {
    for (const entry of entries) {
      const name = `${at.name}/${nameOnce(safeName(entry.name) ?? '_', entry.kind)}`;
      yield* walkEntry({ ...at, entry, name, path: joinPath(at.path, entry.name) }, rule, depth + 1);
    }
  } finally {
    signal.removeEventListener('abort', release);
    release();
  }
}
