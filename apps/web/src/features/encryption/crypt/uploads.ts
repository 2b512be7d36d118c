import { type Vault, blockSize, damaged, fromBase64, headerSize, sealedBlockSize, sealedSize, toBase64 } from '@sheaf/vault';
import { clearBytes } from './open-range.ts';
import type { Requests } from './requests.ts';
import type { VaultFile } from './streams.ts';

/** Bytes of the clear file that were encrypted: their blocks, and the digest (base64, SHA-256) that tells whether a file has the same ones. */
interface Sealed {
  readonly first: number;
  readonly last: number;
  readonly digest: string;
}

/** What a later page needs to go on with an upload, sealed with the key of the vault. */
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
  /** Clear bytes. Rejects if they are no longer those of the beginning: other bytes must not be encrypted with the same nonce. */
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** Of a file of this device. */
  note: Note | undefined;
}

const purpose = 'sheaf vault: upload';

/** Files that are being encrypted, by numbers that the page knows. `vaultOf` throws for a locked vault. */
export function createUploads(vaultOf: (vaultId: string) => Vault) {
  const uploads = new Map<number, Upload>();
  let count = 0;

  return {
    async begin({ vaultId, source, note }: Requests['beginUpload']['ask']): Promise<Requests['beginUpload']['answer']> {
      const vault = vaultOf(vaultId);
      const known = note !== undefined && source instanceof File ? await continued(vault, source, note) : undefined;
      const nonce = known ? fromBase64(known.nonce) : vault.newNonce();
      const fresh = source instanceof File ? noteOf(source, nonce) : undefined;
      uploads.set(++count, { vault, nonce, read: readerOf(source, vaultOf), note: known ?? fresh });
      return { uploadId: count, size: sealedSize(source.size), nonce: toBase64(nonce), goesOn: known !== undefined };
    },

    async seal({ uploadId, start, end }: Requests['sealRange']['ask']): Promise<Requests['sealRange']['answer']> {
      const upload = uploads.get(uploadId);
      if (!upload) throw damaged('locked', 0);
      return sealRange(upload, start, end);
    },

    end: (uploadId: number): void => void uploads.delete(uploadId),

    /** Ends those of a vault that is locked. */
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
  if (source instanceof File) return async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer());
  return async (start, end) => {
    const { vaultId, address, sealedSize: size, nonce } = source;
    const range = { address, size, start, end: Math.min(end, source.size), ...(nonce !== undefined && { nonce }) };
    const bytes = new Uint8Array(Math.max(0, range.end - start));
    let filled = 0;
    for await (const piece of clearBytes(vaultOf(vaultId), range, new AbortController().signal)) {
      bytes.set(piece, filled);
      filled += piece.length;
    }
    if (filled !== bytes.length) throw damaged('cut', start + filled);
    return bytes;
  };
}

const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** The note, if the file has the same bytes wherever some of them have been encrypted under its nonce; else undefined. */
async function continued(vault: Vault, file: File, text: string): Promise<Note | undefined> {
  const note = vault.openNote(purpose, text) as Note | undefined;
  if (note?.name !== file.name || note.size !== file.size || note.lastModified !== file.lastModified) return undefined;
  for (const { first, last, digest } of note.sealed) {
    const bytes = await file.slice(first * blockSize, last * blockSize).arrayBuffer();
    if ((await digestOf(new Uint8Array(bytes))) !== digest) return undefined;
  }
  return note;
}

/** Encrypts the blocks that the range touches. The same range of the same upload always gives the same bytes: an upload can go on anywhere. */
async function sealRange(upload: Upload, start: number, end: number): Promise<Requests['sealRange']['answer']> {
  const { vault, nonce, read, note } = upload;
  const first = Math.max(0, Math.floor((start - headerSize) / sealedBlockSize));
  const last = Math.max(first, Math.ceil((end - headerSize) / sealedBlockSize));
  const clear = await read(first * blockSize, last * blockSize);
  if (note) upload.note = { ...note, sealed: [...note.sealed, { first, last, digest: await digestOf(clear) }] };
  const sealed = vault.files.sealBlocks(nonce, first, clear);
  const header = first === 0 ? vault.files.header(nonce) : new Uint8Array(0);
  const at = headerSize + first * sealedBlockSize;
  if (at + sealed.length < end) throw damaged('cut', first * blockSize + clear.length);
  const bytes = new Uint8Array(end - start);
  bytes.set(header.subarray(start, end));
  const from = Math.max(0, start - at);
  bytes.set(sealed.subarray(from, Math.max(from, end - at)), at + from - start);
  return {
    bytes: bytes.buffer,
    note: upload.note && vault.sealNote(purpose, upload.note),
  };
}
