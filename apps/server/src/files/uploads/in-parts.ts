import { Readable } from 'node:stream';
import {
  type Connector,
  type Entry,
  type FinishedUpload,
  type HashName,
  type KeepOptions,
  type ResumableHash,
  type ResumableUploads,
  type SentPart,
  createBodyReader,
  createResumableHash,
  isResumableHash,
  nameOf,
} from '@sheaf/connectors';
import { appError } from '@sheaf/contract';
import { mediaTypeOf } from '#/files/items/media-type.ts';

/** What is stored of an upload in parts, besides its sealed session. */
export interface StoredParts {
  readonly path: string;
  readonly partSize: number;
  readonly parallel: number;
  /** What the storage has confirmed, in the order of offsets. */
  readonly parts: readonly SentPart[];
  /** The hash of all confirmed bytes, which the storage needs or reports; its state is that of {@link createResumableHash}. */
  readonly hash?: {
    readonly name: HashName;
    readonly state?: string;
    /** One part earlier. */
    readonly before?: { readonly position: number; readonly state?: string };
  };
}

interface Sending {
  readonly connector: Connector;
  readonly uploads: ResumableUploads;
  readonly provider: string;
  readonly session: string;
  readonly stored: StoredParts;
  /** Bytes of the file. */
  readonly size: number;
  /** Epoch seconds. */
  readonly modified?: number;
  readonly ifExists: 'fail' | 'replace';
  /** The first byte of `input`; all before are confirmed and hashed. */
  readonly start: number;
  /** Bytes from the beginning that the storage has although nobody heard so: they are hashed and not sent again. */
  readonly ahead: number;
  readonly input: Readable;
  readonly signal: AbortSignal;
  /** Runs the step in which the file gets its name. */
  readonly place: (finish: (kept: { readonly keep?: KeepOptions }) => Promise<FinishedUpload>) => Promise<FinishedUpload>;
  /** Stores what was confirmed. */
  readonly keep: (stored: StoredParts, position: number) => Promise<void>;
}

/** The hash to compute of an upload's bytes, if any: one that the storage needs, otherwise one that it reports of files sent in order. */
export function hashFor(connector: Connector, needs: readonly HashName[], parallel: number): HashName | undefined {
  const wanted = needs.length > 0 ? needs : parallel === 1 ? (connector.hashes ?? []) : [];
  return wanted.find(isResumableHash);
}

/** Sends the parts as their bytes arrive, each confirmed before the next one, and makes the file. Returns its entry. */
export async function sendInParts(sending: Sending): Promise<Entry> {
  const { uploads, session, size, start, ahead, input, signal, keep } = sending;
  let { stored } = sending;
  const { path, partSize, hash } = stored;
  const running = hash && (await createResumableHash(hash.name, hash.state));
  const reader = createBodyReader(input, signal);
  for (let offset = start; offset < size;) {
    const end = Math.min(size, (Math.floor(offset / partSize) + 1) * partSize);
    const known = stored.parts.find((part) => part.offset === offset);
    const skipped = known ? end : Math.min(end, ahead);
    if (skipped > offset) {
      for await (const piece of reader.stream(skipped - offset)) running?.update(piece as Uint8Array);
      offset = skipped;
      continue;
    }
    const bytes = end - offset;
    const piece = running ? hashed(reader.stream(bytes), running) : reader.stream(bytes);
    const receipt = await uploads.sendPart(path, piece, { signal, session, offset, size: bytes });
    stored = {
      ...stored,
      ...(stored.parallel > 1 && { parts: [...stored.parts, { offset, size: bytes, receipt }] }),
      ...(stored.hash && running && { hash: nextHash(stored.hash, running.save(), offset) }),
    };
    await keep(stored, end);
    offset = end;
  }
  const computed = hash && running ? { [hash.name]: running.digest() } : {};
  const finish = { signal, session, parts: stored.parts, hashes: computed, size, ifExists: sending.ifExists, mimeType: mediaTypeOf(path) };
  const timed = { ...finish, ...(sending.modified !== undefined && { modified: sending.modified }) };
  const made = await sending.place((kept) => uploads.finishUpload(path, { ...timed, ...kept }));
  await prove(sending, made, computed);
  return made.entry;
}

/** The stored hash after a part that began at `offset`. */
const nextHash = ({ name, state: earlier }: NonNullable<StoredParts['hash']>, state: string, offset: number) => ({
  name,
  state,
  before: { position: offset, ...(earlier !== undefined && { state: earlier }) },
});

/** The same bytes; each is hashed when it is read, so that at the end of a part the hash is that of all parts so far. */
function hashed(piece: Readable, hash: ResumableHash): Readable {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of piece as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      yield chunk;
    }
  };
  return Readable.from(chunks(), { objectMode: false });
}

/** Compares the file with the bytes that passed; removes one that differs and replaced nothing. Rejects with CONTENT_DAMAGED. */
async function prove(
  { connector, provider, stored: { path }, size, ifExists, signal }: Sending,
  { entry, proof }: FinishedUpload,
  computed: Readonly<Partial<Record<HashName, string>>>,
): Promise<void> {
  if (connector.rewrites?.(nameOf(path)) === true) return;
  const [[name, expected] = []] = Object.entries(computed) as [HashName, string][];
  const reported = name === undefined ? undefined : entry.hashes?.[name];
  const isWhole = entry.size === undefined || entry.size === size;
  if (isWhole && (!proof || proof.computed === proof.stored) && (reported === undefined || reported === expected)) return;
  if (ifExists === 'fail') await connector.remove?.(path, { signal });
  throw appError('CONTENT_DAMAGED', { provider, name: nameOf(path) });
}
