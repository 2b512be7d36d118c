import type { Connector, Entry, FinishedUpload, HashName, Hashes } from '@sheaf/connectors';
import { createHashSet, nameOf } from '@sheaf/connectors';
import { type Proof, appError } from '@sheaf/contract';
import { entryAt, isRow } from '#/files/items/entry-at.ts';
import type { Ends } from '../rows/ends.ts';
import type { TransferRow } from '../rows/store.ts';
import { isUnchanged } from './file-job.ts';

/** What a file's report says of its bytes. Hashes are written `name:hex`. */
export interface Proven {
  readonly proof: Proof;
  readonly sourceHash: string | null;
  readonly computedHash: string | null;
  readonly destinationHash: string | null;
}

/** The hash for reading back, where no end reports one. */
const own: HashName = 'sha256';

/** Smaller files are read back more quickly than a source begins to hash one. */
const digestFrom = 1024 * 1024;

/** Whether a hash by the destination's server proves a copy: where its size is not enough, and its bytes need not be read. */
export const mayDigest = (verify: TransferRow['verify']): boolean => verify === 'auto' || verify === 'hashes';

/** Transfers of up to so many bytes are read back where the destination reports no hash. */
const readBackUpTo = 1024 ** 3;

/** The hashes to compute while a file passes: all that either end may report, or one to compare with when it is read back. */
export function wantedHashes({ from, to }: Ends, verify: TransferRow['verify'], needs: readonly HashName[] = []): HashName[] {
  if (verify === 'size') return [...needs];
  const reported = [...(from.connector.hashes ?? []), ...(to.connector.hashes ?? []), ...needs];
  return [...new Set(to.connector.hashes ? reported : [...reported, own])];
}

interface Sent {
  readonly ends: Ends;
  readonly transfer: TransferRow;
  readonly fromPath: string;
  readonly toPath: string;
  readonly ifExists: 'fail' | 'replace';
  /** Bytes that passed. */
  readonly bytes: number;
  readonly computed: Hashes;
  /** The source's metadata that came with the bytes. */
  readonly source: Partial<Entry>;
  /** The destination's answer. */
  readonly made: FinishedUpload;
  readonly signal: AbortSignal;
}

/**
 * Proves a copy: what the source reports must equal what was computed of the bytes that passed, and that must equal what the destination reports. Rejects
 * with CONTENT_DAMAGED where they differ, and removes the new file then: it must not look like a copy. One that replaced another stays.
 */
export async function prove(sent: Sent): Promise<Proven> {
  try {
    return await compare(sent);
  } catch (error) {
    if (isRow(error, 'CONTENT_DAMAGED') && sent.ifExists === 'fail')
      await removeMade(sent.ends.to.connector, sent.toPath, sent.made.entry, sent.signal);
    throw error;
  }
}

async function compare(sent: Sent): Promise<Proven> {
  const { ends, transfer, fromPath, toPath, bytes, computed, made, signal } = sent;
  const { from, to } = ends;
  const isRewritten = to.connector.rewrites?.(nameOf(toPath)) === true;
  const readAs =
    transfer.verify === 'size' ? undefined : compared(await reportedBy(from.connector, fromPath, sent.source.hashes, signal), computed);
  if (readAs?.isEqual === false) throw appError('CONTENT_DAMAGED', { provider: from.provider, name: made.entry.name });
  const sourceHash = readAs?.text ?? null;
  const differing = (stored: Hashes = {}): Proven => {
    if (!isRewritten) throw appError('CONTENT_DAMAGED', { provider: to.provider, name: made.entry.name });
    return { proof: 'provider_rewrote', sourceHash, computedHash: textOf(computed), destinationHash: textOf(stored) };
  };
  const size = made.entry.size ?? (await to.connector.stat(toPath, { signal })).size;
  if (size !== undefined && size !== bytes) return differing(made.entry.hashes);
  const sizeOnly = (): Proven => ({ proof: 'size', sourceHash, computedHash: null, destinationHash: null });
  if (transfer.verify === 'size' && size !== undefined) return sizeOnly();
  if (made.proof) {
    const { algorithm, computed: expected, stored } = made.proof;
    if (expected !== stored) return differing();
    return { proof: 'hash', sourceHash, computedHash: `${algorithm}:${expected}`, destinationHash: `${algorithm}:${stored}` };
  }
  const atDestination = await reportedBy(to.connector, toPath, made.entry.hashes, signal);
  const stored = compared(atDestination, computed);
  if (stored?.isEqual === false) return differing(atDestination);
  if (stored) return { proof: 'hash', sourceHash, computedHash: stored.text, destinationHash: stored.text };
  if (mayDigest(transfer.verify) && bytes >= digestFrom) {
    const digested = compared(await to.connector.digest?.(toPath, { signal, size: bytes }), computed);
    if (digested?.isEqual) return { proof: 'hash', sourceHash, computedHash: digested.text, destinationHash: digested.text };
  }
  const isTooLarge = transfer.verify === 'auto' && transfer.bytesTotal > readBackUpTo;
  // A file whose size the destination does not tell is read back in any case.
  if (size !== undefined && (transfer.verify === 'hashes' || isTooLarge)) return sizeOnly();
  const [name, expected] = Object.entries(computed).find(([hash]) => hash === own) ?? Object.entries(computed)[0] ?? [];
  const readBack = await readAgain(to.connector, toPath, (name ?? own) as HashName, signal, bytes);
  if (readBack.bytes !== bytes || (expected !== undefined && readBack.hash !== expected)) return differing();
  if (name === undefined || expected === undefined) return sizeOnly();
  return { proof: 'read_back', sourceHash, computedHash: `${name}:${expected}`, destinationHash: `${name}:${expected}` };
}

async function removeMade(connector: Connector, path: string, made: Entry, signal: AbortSignal): Promise<void> {
  const now = await entryAt(connector, path, signal);
  if (now && isUnchanged(now, made)) await connector.remove?.(path, { signal });
}

/** The hashes that the source reports: those at hand, else asked for. */
async function reportedBy(connector: Connector, path: string, known: Hashes | undefined, signal: AbortSignal): Promise<Hashes | undefined> {
  if (known && Object.keys(known).length > 0) return known;
  return connector.hashes ? (await connector.stat(path, { signal })).hashes : undefined;
}

/** The strongest hash that both have, and whether all they share are equal; undefined when they share none. */
function compared(reported: Hashes | undefined, computed: Hashes): { readonly text: string; readonly isEqual: boolean } | undefined {
  const shared = strongestFirst.filter((name) => reported?.[name] !== undefined && computed[name] !== undefined);
  const [first] = shared;
  if (first === undefined) return undefined;
  return { text: `${first}:${computed[first] ?? ''}`, isEqual: shared.every((name) => reported?.[name] === computed[name]) };
}

const strongestFirst: readonly HashName[] = ['sha256', 'dropbox', 'sha1', 'md5', 'quickXor', 'crc64nvme', 'crc32c', 'crc32'];

const textOf = (hashes: Hashes = {}): string | null => {
  const name = strongestFirst.find((one) => hashes[one] !== undefined);
  return name === undefined ? null : `${name}:${hashes[name] ?? ''}`;
};

/** Reads a file to its end for its hash. */
export async function hashAt(connector: Connector, path: string, name: HashName, signal: AbortSignal): Promise<string | undefined> {
  return (await readAgain(connector, path, name, signal)).hash;
}

async function readAgain(connector: Connector, path: string, name: HashName, signal: AbortSignal, size?: number) {
  const body = await connector.read(path, { signal, bytesOnly: true, ...(size !== undefined && { known: { size } }) });
  const set = createHashSet([name], body.size ?? size);
  let bytes = 0;
  try {
    await body.drain((chunk) => {
      bytes += chunk.byteLength;
      return set.update(chunk);
    });
    return { bytes, hash: (await set.digest())[name] };
  } finally {
    set.cancel();
  }
}

interface ServiceCopy {
  readonly ends: Ends;
  readonly transfer: Pick<TransferRow, 'verify'>;
  readonly fromPath: string;
  readonly toPath: string;
  readonly original: Entry;
  readonly entry: Entry;
  readonly signal: AbortSignal;
}

/**
 * Compares a copy that the service made itself with its original: by a hash that both report, by reading both where the user wants files read back, otherwise
 * by size. Rejects with CONTENT_DAMAGED, and removes the copy then.
 */
export async function proveByService({
  ends: { from, to },
  transfer,
  fromPath,
  toPath,
  original,
  entry,
  signal,
}: ServiceCopy): Promise<Proven> {
  const refuse = async (): Promise<never> => {
    await removeMade(to.connector, toPath, entry, signal);
    throw appError('CONTENT_DAMAGED', { provider: to.provider, name: entry.name });
  };
  const known = compared(entry.hashes, original.hashes ?? {});
  const hasOtherSize = original.size !== undefined && entry.size !== undefined && original.size !== entry.size;
  if (hasOtherSize || known?.isEqual === false) {
    if (to.connector.rewrites?.(nameOf(toPath)) !== true) return refuse();
    const [sourceHash, destinationHash] = [textOf(original.hashes), textOf(entry.hashes)];
    return { proof: 'provider_rewrote', sourceHash, computedHash: null, destinationHash };
  }
  if (!known && transfer.verify === 'read_back') {
    const [read, stored] = [await hashAt(from.connector, fromPath, own, signal), await hashAt(to.connector, toPath, own, signal)];
    if (read === undefined || read !== stored) return refuse();
    return { proof: 'read_back', sourceHash: null, computedHash: `${own}:${read}`, destinationHash: `${own}:${stored}` };
  }
  const hash = known?.text ?? null;
  return { proof: hash === null ? 'server_side' : 'hash', sourceHash: hash, computedHash: null, destinationHash: hash };
}

/**
 * Whether both ends have the same bytes, for a file that an interrupted run may have finished: by a hash that both report, otherwise by reading both.
 * Undefined when there is nothing at the destination, or another file.
 */
export async function alreadyThere(
  { from, to }: Ends,
  fromPath: string,
  toPath: string,
  entry: Entry,
  signal: AbortSignal,
): Promise<Proven | undefined> {
  const source = await from.connector.stat(fromPath, { signal });
  if (entry.kind !== 'file') return undefined;
  if (to.connector.rewrites?.(entry.name) === true) {
    // Its bytes cannot be compared; Sheaf gives a copy the time of its source.
    const isOurs =
      source.modified !== undefined && entry.modified !== undefined && Math.trunc(source.modified) === Math.trunc(entry.modified);
    return isOurs
      ? { proof: 'provider_rewrote', sourceHash: textOf(source.hashes), computedHash: null, destinationHash: textOf(entry.hashes) }
      : undefined;
  }
  if (source.size !== undefined && entry.size !== undefined && source.size !== entry.size) return undefined;
  const atSource = (await reportedBy(from.connector, fromPath, source.hashes, signal)) ?? {};
  const known = compared(await reportedBy(to.connector, toPath, entry.hashes, signal), atSource);
  if (known) return known.isEqual ? { proof: 'hash', sourceHash: known.text, computedHash: null, destinationHash: known.text } : undefined;
  const [read, stored] = [await hashAt(from.connector, fromPath, own, signal), await hashAt(to.connector, toPath, own, signal)];
  if (read === undefined || read !== stored) return undefined;
  return { proof: 'read_back', sourceHash: null, computedHash: `${own}:${read}`, destinationHash: `${own}:${stored}` };
}
