import { type Vault, blockSize, damaged, fromBase64, headerSize, inPieces, sealedBlockSize, sealedSize, toBase64 } from '@sheaf/vault';
import { clearBytes } from './open-range.ts';
import type { Requests } from './requests.ts';
import { streamPieces } from './stream-pieces.ts';
import type { VaultFile } from './streams.ts';

/** An encrypted part of the clear file: its blocks, and a digest (base64, SHA-256) to compare a file with. */
interface Sealed {
  readonly first: number;
  readonly last: number;
  readonly digest: string;
}

/** What a later page needs to resume an upload, sealed with the key of the vault. */
interface Note {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
  readonly nonce: string;
  readonly sealed: readonly Sealed[];
}

interface Upload {
  readonly vault: Vault;
  readonly nonce: Uint8Array;
  /** Reads clear bytes. Rejects if the file has changed: other bytes must never be encrypted with the same nonce. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>;
  /** Only for a file of this device. */
  note: Note | undefined;
  /** Buffer for clear blocks. */
  readonly clear: Uint8Array<ArrayBuffer>;
}

/** Number of blocks in memory at once. */
const atOnce = 16;
/** Buffer for sealed blocks, shared by all uploads. */
const sealedRoom = new Uint8Array(atOnce * sealedBlockSize);
const newClear = (): Uint8Array<ArrayBuffer> => new Uint8Array(atOnce * blockSize);

const purpose = 'sheaf vault: upload';

/** Keeps the uploads in progress, by a number that the page refers to. `vaultOf` throws for a locked vault. */
export function createUploads(vaultOf: (vaultId: string) => Vault) {
  const uploads = new Map<number, Upload>();
  let count = 0;

  return {
    async begin({ vaultId, source, note }: Requests['beginUpload']['ask']): Promise<Requests['beginUpload']['answer']> {
      const vault = vaultOf(vaultId);
      const known = note !== undefined && source instanceof File ? await continued(vault, source, note) : undefined;
      const nonce = known ? fromBase64(known.nonce) : vault.newNonce();
      const fresh = source instanceof File ? noteOf(source, nonce) : undefined;
      uploads.set(++count, { vault, nonce, read: readerOf(source, vaultOf), note: known ?? fresh, clear: newClear() });
      return { uploadId: count, size: sealedSize(source.size), nonce: toBase64(nonce), goesOn: known !== undefined };
    },

    async seal({ uploadId, start, end, room }: Requests['sealRange']['ask']): Promise<Requests['sealRange']['answer']> {
      const upload = uploads.get(uploadId);
      if (!upload) throw damaged('locked', 0);
      return sealRange(upload, start, end, room);
    },

    end: (uploadId: number): void => void uploads.delete(uploadId),

    /** Ends the uploads of a vault that is locked. */
    forget(vault: Vault | undefined): void {
      for (const [id, upload] of uploads) if (upload.vault === vault) uploads.delete(id);
    },
  };
}

const noteOf = ({ name, size, lastModified }: File, nonce: Uint8Array): Note => ({
  name,
  size,
  lastModified,
  nonce: toBase64(nonce),
  sealed: [],
});

function readerOf(source: File | VaultFile, vaultOf: (vaultId: string) => Vault): Upload['read'] {
  if (source instanceof File) return (start, end) => bytesOf(source, start, end);
  const { vaultId, address, sealedSize: size, nonce } = source;
  return (start, end) => {
    const range = { address, size, start, end: Math.min(end, source.size), ...(nonce !== undefined && { nonce }) };
    return clearBytes(vaultOf(vaultId), range, new AbortController().signal);
  };
}

/** Streams bytes of a file of this device. Rejects with NotReadableError if the file changed since it was chosen. */
async function* bytesOf(file: File, start: number, end: number): AsyncGenerator<Uint8Array> {
  const part = file.slice(start, end);
  let given = 0;
  try {
    for await (const piece of streamPieces(part.stream())) {
      given += piece.length;
      yield piece;
    }
  } catch (error) {
    await checkReadable(part);
    throw error;
  }
  if (given < part.size) await checkReadable(part);
}

/** Finds out why a stream broke off: the stream does not say, a direct read does. */
const checkReadable = (part: Blob): Promise<unknown> => part.slice(-1).arrayBuffer();

const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** Streams clear blocks from `first` to `last`, several at a time, with the number of the first. A piece is valid only until the next one is requested. */
async function* blocksOf({ read, clear: room }: Pick<Upload, 'read' | 'clear'>, first: number, last: number) {
  let block = first;
  for await (const clear of inPieces(read(first * blockSize, last * blockSize), room.length, room)) {
    yield { block, clear };
    block += atOnce;
  }
}

/** Digest of the digests of the pieces, so the bytes need not be in memory together. */
const wholeDigest = async (digests: readonly Uint8Array[]): Promise<string> =>
  toBase64(await digestOf(Uint8Array.from(digests.flatMap((digest) => [...digest]))));

/** Returns the note if all bytes encrypted under its nonce are unchanged in the file; else undefined. */
async function continued(vault: Vault, file: File, text: string): Promise<Note | undefined> {
  const note = vault.openNote(purpose, text) as Note | undefined;
  if (note?.name !== file.name || note.size !== file.size || note.lastModified !== file.lastModified) return undefined;
  const source = { read: (start: number, end: number) => bytesOf(file, start, end), clear: newClear() };
  for (const { first, last, digest } of note.sealed) {
    const digests: Uint8Array[] = [];
    for await (const { clear } of blocksOf(source, first, last)) digests.push(await digestOf(clear));
    if ((await wholeDigest(digests)) !== digest) return undefined;
  }
  return note;
}

/** Encrypts the blocks that the range touches. Deterministic for an upload, so it can resume at any offset. */
async function sealRange(upload: Upload, start: number, end: number, room: ArrayBuffer): Promise<Requests['sealRange']['answer']> {
  const { vault, nonce, note } = upload;
  const first = Math.max(0, Math.floor((start - headerSize) / sealedBlockSize));
  const last = Math.max(first, Math.ceil((end - headerSize) / sealedBlockSize));
  const bytes = new Uint8Array(room, 0, end - start);
  if (first === 0) bytes.set(vault.files.header(nonce).subarray(start, end));
  const digests: Uint8Array[] = [];
  let filled = Math.min(end, Math.max(start, headerSize));
  for await (const { block, clear } of blocksOf(upload, first, last)) {
    if (note) digests.push(await digestOf(clear));
    const at = headerSize + block * sealedBlockSize;
    const sealed = vault.files.sealBlocks(nonce, block, clear, sealedRoom);
    const from = Math.max(0, start - at);
    bytes.set(sealed.subarray(from, Math.max(from, end - at)), at + from - start);
    filled = Math.min(end, at + sealed.length);
  }
  if (filled < end) throw damaged('cut', filled);
  if (note) upload.note = { ...note, sealed: [...note.sealed, { first, last, digest: await wholeDigest(digests) }] };
  return { room, note: upload.note && vault.sealNote(purpose, upload.note) };
}
