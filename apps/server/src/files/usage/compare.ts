import { type Entry, type HashName, allInParallel } from '@sheaf/connectors';
import { type Compared, appError, comparison } from '@sheaf/contract';
import { type Links, type OpenItem, openItem } from '#/files/items/open-item.ts';
import { hashAt } from '#/files/transfers/copying/proof.ts';

/** Hashes under which files count as the same; a CRC is equal by chance too often. */
const trusted: readonly HashName[] = ['sha256', 'dropbox', 'sha1', 'md5', 'quickXor'];

const readAtOnce = 2;

interface Candidate {
  readonly item: OpenItem;
  readonly entry: Entry;
}

/**
 * Groups files by their content: by a hash that all sources report, else by reading them if `read` allows it. Rejects with NO_COMMON_HASH otherwise,
 * with COMPARISON_TOO_LARGE for too many bytes, and as opening an item does.
 */
export async function compareContents(
  links: Links,
  userId: string,
  linkUris: readonly string[],
  read: boolean,
  signal: AbortSignal,
): Promise<Compared> {
  const files: Candidate[] = [];
  await allInParallel([...new Set(linkUris)], readAtOnce, async (linkUri) => {
    const item = await openItem(links, userId, linkUri);
    const entry = await item.connector.stat(item.path, { signal });
    if (entry.kind === 'folder') throw appError('IS_A_FOLDER', { name: entry.name });
    files.push({ item, entry });
  });
  const known = trusted.find((name) => files.every(({ entry }) => entry.hashes?.[name] !== undefined));
  if (known !== undefined) return { same: groupsBy(files, ({ entry }) => entry.hashes?.[known] ?? ''), by: 'hashes' };

  // Files of different sizes differ; only the others are read.
  const sizes = Map.groupBy(files, ({ entry }) => entry.size ?? -1);
  const unclear = files.filter(({ entry }) => (sizes.get(entry.size ?? -1)?.length ?? 0) > 1);
  if (unclear.length > 0 && !read) throw appError('NO_COMMON_HASH', {});
  const bytes = unclear.reduce((sum, { entry }) => sum + (entry.size ?? 0), 0);
  if (bytes > comparison.bytes) throw appError('COMPARISON_TOO_LARGE', { gibibytes: String(comparison.bytes / 1024 ** 3) });
  const hashes = new Map<Candidate, string>();
  await allInParallel(unclear, readAtOnce, async (file) => {
    hashes.set(file, (await hashAt(file.item.connector, file.item.path, 'sha256', signal)) ?? '');
  });
  return { same: groupsBy(files, (file) => hashes.get(file) ?? `alone:${file.item.linkUri}`), by: 'reading' };
}

const groupsBy = (files: readonly Candidate[], keyOf: (file: Candidate) => string): string[][] =>
  [...Map.groupBy(files, keyOf).values()].map((group) => group.map(({ item }) => item.linkUri));
