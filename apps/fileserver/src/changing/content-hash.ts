import { type Hash, createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';

/** What a client wants to know of the stored bytes. */
export interface WantedHash {
  /** SHA-256 in lower-case hexadecimal that the bytes must have. */
  readonly expected?: string;
}

/** Reads `X-Sheaf-Hash`: `sha256`, or `sha256=` with the value that the bytes must have. Undefined when the client wants none. */
export function wantedHash({ headers }: IncomingMessage): WantedHash | undefined {
  const text = headers['x-sheaf-hash'];
  if (text === undefined) return undefined;
  const [whole, expected] = typeof text === 'string' ? (/^sha256(?:=([0-9a-f]{64}))?$/.exec(text) ?? []) : [];
  if (whole === undefined) throw new Refusal('unsupported', 'X-Sheaf-Hash is not sha256');
  return expected === undefined ? {} : { expected };
}

/** The field of an entry; throws `damaged` when the bytes are not those expected. */
export function hashesOf(hash: Hash, { expected }: WantedHash): { readonly sha256: string } {
  const sha256 = hash.digest('hex');
  if (expected !== undefined && sha256 !== expected) throw new Refusal('damaged', 'the bytes have another hash');
  return { sha256 };
}

export const startHash = (): Hash => createHash('sha256');

/** Bytes read at once. */
const block = 1024 * 1024;

/** Hashes an open file from its beginning. */
export async function hashFile(handle: FileHandle, signal: AbortSignal): Promise<Hash> {
  const hash = startHash();
  const buffer = Buffer.allocUnsafe(block);
  for (let at = 0; ;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, block, at);
    if (bytesRead === 0) return hash;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
