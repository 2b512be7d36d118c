import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { WriteOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { createBodyReader } from '../../kit/body/body-reader.ts';
import { retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import { type Node, Uploaded, fields } from './api.ts';
import type { BoxClient } from './client.ts';
import { uploadForm } from './multipart.ts';
import { beginSession, uploadInSession } from './session.ts';
import { type AimOptions, type Target, addressOf, aim, attributesOf, storedAs } from './target.ts';
import { uploadOfUnknownSize } from './unknown-size.ts';

/** Minimum bytes of a file for an upload session. https://developer.box.com/guides/uploads/chunked */
export const sessionFrom = 20_000_000;

/** Maximum attempts: the name may be taken or freed between the preflight check and the upload. */
const mostAims = 3;

/**
 * Stores a file: in one request when it is small, in an upload session when it is large; Box verifies the hash sent with each. The new
 * version appears only when it is complete.
 */
export async function uploadFile(client: BoxClient, place: Target, body: Readable, ask: WriteOptions): Promise<Node> {
  const { size, signal } = ask;
  const first = await aim(client, place, ask);
  const reader = createBodyReader(body, signal);
  if (size !== undefined && size >= sessionFrom) {
    const session = await aimed(client, place, first, ask, (target) => beginSession(client, target, size, signal));
    return uploadInSession(client, session, reader, size, ask);
  }
  const bytes = await reader.take(size === undefined ? sessionFrom : size + 1);
  if (size !== undefined && bytes.byteLength !== size) throw new ConnectorError('sizeDiffers', `${bytes.byteLength} of ${size} bytes came`);
  if (bytes.byteLength === sessionFrom) return uploadOfUnknownSize(client, place, bytes, reader, ask);
  return aimed(client, place, first, ask, (target) => uploadWhole(client, target, bytes, ask));
}

/** Runs an upload's first request; resolves its destination again when the name was taken or freed in the meantime. */
export async function aimed<Result>(
  client: BoxClient,
  place: Target,
  first: Target,
  ask: AimOptions,
  go: (target: Target) => Promise<Result>,
): Promise<Result> {
  let target = first;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await go(target);
    } catch (error) {
      const hasMoved = target.file === undefined ? isKind(error, 'alreadyExists') : isKind(error, 'notFound');
      if (!hasMoved || attempt >= mostAims) throw error;
      target = await aim(client, place, ask);
    }
  }
}

async function uploadWhole(client: BoxClient, target: Target, bytes: Uint8Array, ask: WriteOptions): Promise<Node> {
  const { signal } = ask;
  const hash = createHash('sha1').update(bytes).digest('hex');
  const { headers, head, tail } = uploadForm(attributesOf(target, ask));
  const form = Buffer.concat([head, bytes, tail]);
  const send = () =>
    client.uploads.json(Uploaded, {
      method: 'POST',
      url: addressOf(target),
      query: { fields },
      headers: { ...headers, 'content-md5': hash },
      body: form,
      signal,
    });
  // Not retried for a new file: after a lost response it would conflict with itself.
  const { entries } = await retryWhileBusy(signal, send, () => target.file !== undefined);
  return storedAs(entries, hash);
}
