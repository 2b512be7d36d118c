import type { Target } from '#/serving/dav/targets.ts';

/** Bytes that are reported for a storage whose space is unknown. */
const unknownSpace = 2 ** 50;
const blockSize = 4096;

/** The space of a storage as statvfs tells it. */
export async function spaceOf(found: Target, canWrite: boolean, signal: AbortSignal): Promise<readonly number[]> {
  const usage = found.kind === 'item' ? await found.item.connector.usage?.({ signal }) : undefined;
  const total = usage?.total ?? unknownSpace;
  const free = Math.max(0, total - (usage?.used ?? 0));
  const blocks = (bytes: number): number => Math.floor(bytes / blockSize);
  // statvfs: block sizes, blocks, free ones, files, an id, flags (1: read only), and the longest name.
  return [blockSize, blockSize, blocks(total), blocks(free), blocks(free), 2 ** 32, 2 ** 32, 2 ** 32, 0, canWrite ? 0 : 1, 255];
}
