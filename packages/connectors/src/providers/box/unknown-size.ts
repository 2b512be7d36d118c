import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { WriteAsk } from '../../core/connector.ts';
import type { BodyReader } from '../../kit/body-reader.ts';
import { nameOf, partialPathOf } from '../../kit/path.ts';
import { type Node, Uploaded, fields } from './api.ts';
import type { BoxClient } from './client.ts';
import { uploadForm } from './multipart.ts';
import { type Target, addressOf, aim, attributesOf, storedAs } from './target.ts';

/** Bytes of the body that are asked for at once. */
const chunk = 256 * 1024;
/** ms for tidying up, when the caller may be gone already. */
const undoTime = 30_000;

/**
 * Stores a large file whose size nobody knows. A session needs the size, and a hash told before needs all bytes: so the file is streamed under a hidden name, compared,
 * and then given its own name. A file that has the name goes to the trash.
 */
export async function uploadOfUnknownSize(
  client: BoxClient,
  place: Target,
  first: Uint8Array,
  reader: BodyReader,
  ask: WriteAsk,
): Promise<Node> {
  const { signal } = ask;
  const hidden = { folder: place.folder, name: nameOf(partialPathOf('/')) };
  const { headers, head, tail } = uploadForm(attributesOf(hidden, ask));
  const hash = createHash('sha1');

  async function* form(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let bytes = first; bytes.byteLength > 0; bytes = await reader.take(chunk)) {
      hash.update(bytes);
      yield bytes;
    }
    yield tail;
  }

  const body = Readable.from(form(), { objectMode: false });
  const request = { method: 'POST', url: addressOf(hidden), query: { fields }, headers, body, signal };
  const { entries } = await client.uploads.json(Uploaded, request);
  const [stored] = entries;
  try {
    const node = storedAs(entries, hash.digest('hex'));
    return await takePlace(client, node, place, ask);
  } catch (error) {
    if (stored) await remove(client, stored.id);
    throw error;
  }
}

async function takePlace(client: BoxClient, { id }: Node, place: Target, ask: WriteAsk): Promise<Node> {
  const { file: old } = await aim(client, place, { ...ask, size: 0 });
  const named = () => client.change('PUT', `/files/${id}`, { name: place.name }, ask.signal);
  if (old === undefined) return named();
  await client.change('PUT', `/files/${old}`, { name: nameOf(partialPathOf('/')) }, ask.signal);
  let node: Node;
  try {
    node = await named();
  } catch (error) {
    await client.change('PUT', `/files/${old}`, { name: place.name }, AbortSignal.timeout(undoTime));
    throw error;
  }
  await remove(client, old);
  return node;
}

const remove = (client: BoxClient, id: string): Promise<void> =>
  client.api.done({ method: 'DELETE', url: `/files/${id}`, signal: AbortSignal.timeout(undoTime) });
