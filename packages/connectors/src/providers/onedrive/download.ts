import type { Body, ByteRange } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import { nodeHash, type RunningHash, unlessReplaced, verified } from '../../kit/hash/content-hash.ts';
import { quickXorHash } from '../../kit/hash/quick-xor-hash.ts';
import type { Graph } from './account/client.ts';
import { DriveItem, type GraphItem, type HashName, addressOf, itemFields, readItem } from './api.ts';

/** Starts a hash in the drive's encoding: base64 for quickXorHash, hexadecimal for the others. */
export const startHash = (name: HashName): RunningHash =>
  name === 'quickXorHash' ? quickXorHash() : nodeHash(name === 'sha256Hash' ? 'sha256' : 'sha1');

/**
 * Streams a file or a range of it; its item must be fresh. The bytes come from another host by a signed URL; for an item without one, the
 * content endpoint redirects there.
 */
export async function readContent(graph: Graph, item: GraphItem, range: ByteRange | undefined, signal: AbortSignal): Promise<Body> {
  const { entry, facts } = item;
  const { hash, downloadUrl } = facts;
  const wanted = range && (range.start > 0 || range.end !== undefined) ? range : undefined;
  if (wanted && (wanted.start >= (entry.size ?? Infinity) || (wanted.end ?? Infinity) <= wanted.start))
    throw new ConnectorError('badRange', 'the range has no bytes');
  const place =
    downloadUrl === undefined ? { url: `${addressOf(facts.inside)}/content` } : { url: graph.elsewhere(downloadUrl), authorized: false };
  const headers = { ...(wanted && { range: `bytes=${wanted.start}-${wanted.end === undefined ? '' : wanted.end - 1}` }) };
  const response = await graph.send({ method: 'GET', ...place, headers, signal });
  const [, start] = /^bytes (\d{1,15})-\d{1,15}\/\d{1,15}$/.exec(response.headers['content-range'] ?? '') ?? [];
  // Accepting the whole file instead of a range would transfer all of it each time.
  if (wanted ? response.status !== 206 || Number(start) !== wanted.start : response.status !== 200) {
    response.body().cancel();
    throw new ConnectorError('unexpected', 'the service sends another part than was asked for');
  }
  const body = response.body(entry);
  if (wanted || !hash) return body;
  return unlessReplaced(
    verified(body, hash.value, () => startHash(hash.name)),
    async () => {
      const look = {
        method: 'GET',
        url: addressOf(facts.inside),
        query: { $select: itemFields },
        signal: AbortSignal.timeout(deadlines.question),
      };
      return readItem(await graph.json(DriveItem, look), facts.inside.drive)?.facts.hash?.value === hash.value;
    },
  );
}
