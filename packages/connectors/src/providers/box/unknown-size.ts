import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { WriteOptions } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import { ConnectorError } from '../../core/error.ts';
import type { BodyReader } from '../../kit/body/body-reader.ts';
import { retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { nameOf, partialPathOf } from '../../kit/names/path.ts';
import { type Node, Uploaded, fields } from './api.ts';
import type { BoxClient } from './client.ts';
import { uploadForm } from './multipart.ts';
import { type Target, addressOf, aim, attributesOf, storedAs } from './target.ts';

/** Bytes read from the body at a time. */
const chunk = 256 * 1024;

/**
 * Stores a large file of unknown size. An upload session needs the size in advance, and an upfront hash needs all bytes: the file is
 * therefore streamed under a hidden name, verified and renamed. An existing file of that name goes to the trash.
 */
export async function uploadOfUnknownSize(
  client: BoxClient,
  place: Target,
  first: Uint8Array,
  reader: BodyReader,
  ask: WriteOptions,
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

/** Renames the stored file in place of an existing one. On failure the existing file gets its name back. */
async function takePlace(client: BoxClient, { id }: Node, place: Target, ask: WriteOptions): Promise<Node> {
  const { signal } = ask;
  const { file: old } = await retryWhileBusy(signal, () => aim(client, place, { ...ask, size: 0 }), always);
  if (old === undefined) return renamed(client, id, place.name, signal);
  let node: Node;
  try {
    await renamed(client, old, nameOf(partialPathOf('/')), signal);
    node = await renamed(client, id, place.name, signal);
  } catch (error) {
    await giveBack(client, { id, old, name: place.name }, error);
    throw error;
  }
  await removeReplaced(client, old);
  return node;
}

/** Moves the new file away first: it may already have the name when only the response was lost. */
async function giveBack(
  client: BoxClient,
  { id, old, name }: { readonly id: string; readonly old: string; readonly name: string },
  reason: unknown,
): Promise<void> {
  try {
    await remove(client, id);
    await renamed(client, old, name, AbortSignal.timeout(deadlines.aside));
  } catch (error) {
    const cause = new AggregateError([reason, error]);
    throw new ConnectorError('interrupted', 'a file was not replaced and has not got its name back', { cause });
  }
}

/** Deletes the replaced file. A failure here does not fail the upload, because the new file is in place. */
async function removeReplaced(client: BoxClient, id: string): Promise<void> {
  try {
    await remove(client, id);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}

/** Idempotent, so that it can be retried after a lost response. */
const renamed = (client: BoxClient, id: string, name: string, signal: AbortSignal): Promise<Node> =>
  retryWhileBusy(signal, () => client.change('PUT', `/files/${id}`, { name }, signal), always);

/** Moves a file to the trash, unless it is already there. */
function remove(client: BoxClient, id: string): Promise<void> {
  const signal = AbortSignal.timeout(deadlines.aside);
  return retryWhileBusy(signal, () => client.api.done({ method: 'DELETE', url: `/files/${id}`, signal, accepts: [404] }), always);
}

const always = (): boolean => true;
