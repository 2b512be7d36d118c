import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type ManifestRecord, type Vault, blockSize, newManifestName, sealedSize, toBase64, writePart } from '@sheaf/vault';
import type { Client } from '#/client.ts';
import { Failure } from '#/failure.ts';
import type { ClearFolder } from './contents.ts';

/** Number of bytes read and sealed at a time. */
const pieceSize = 16 * blockSize;

interface Target {
  readonly folder: ClearFolder;
  readonly name: string;
  readonly conflict: 'fail' | 'replace';
}

/** Encrypts a local file into a folder of a vault, and records it there. Never retries with the same nonce. */
export async function putSealed(server: Client, vault: Vault, local: string, { folder, name, conflict }: Target, signal: AbortSignal) {
  const file = await open(local, 'r');
  try {
    const { size, mtimeMs } = await file.stat();
    const nonce = vault.newNonce();
    async function* sealed(): AsyncGenerator<Uint8Array> {
      yield vault.files.header(nonce);
      for (let at = 0; at < size; at += pieceSize) {
        const piece = new Uint8Array(Math.min(pieceSize, size - at));
        for (let filled = 0; filled < piece.length;) {
          const { bytesRead } = await file.read(piece, filled, piece.length - filled, at + filled);
          if (bytesRead === 0) throw new Failure(`${local} became shorter while it was read.`);
          filled += bytesRead;
        }
        yield vault.files.sealBlocks(nonce, at / blockSize, piece);
      }
    }
    const stream = Readable.from(sealed(), { objectMode: false });
    const target = { parentLinkUri: folder.linkUri, name: vault.names.encryptFile(name), conflict };
    await server.upload({ ...target, stream, size: sealedSize(size), modified: mtimeMs }, signal);
    if ((await file.stat()).mtimeMs !== mtimeMs) throw new Failure(`${local} changed while it was copied.`);
    await record(server, vault, folder, [{ name, at: Date.now(), nonce: toBase64(nonce), size }], signal);
  } finally {
    await file.close();
  }
}

/** Adds a part to the manifest of a folder. Skips a folder without an id, which only a browser assigns; its files stay unproven. */
async function record(server: Client, vault: Vault, { id, linkUri }: ClearFolder, records: readonly ManifestRecord[], signal: AbortSignal) {
  if (id === undefined) return;
  const bytes = vault.files.seal(vault.newNonce(), new TextEncoder().encode(writePart({ folder: id, records })));
  await server.upload(
    {
      parentLinkUri: linkUri,
      name: vault.names.encryptFile(newManifestName()),
      conflict: 'fail',
      stream: Readable.from([bytes]),
      size: bytes.length,
    },
    signal,
  );
}
