import type { HashName } from '../../core/hashes.ts';
import { blockSize } from './dropbox-hash.ts';

/** A hash whose state can be stored and continued by another process, which Node's own hashes do not offer. */
export interface ResumableHash {
  update(chunk: Uint8Array): void;
  /** The state as text, no secret; valid for the same version of the package hash-wasm. */
  save(): string;
  /** The hash in lower-case hexadecimal. Call it once, last. */
  digest(): string;
}

/** Loaded on first use, because only uploads with an expected hash need its 250 KiB. */
const library = () => import('hash-wasm');
const plain = { md5: 'createMD5', sha1: 'createSHA1', sha256: 'createSHA256' } as const;

const toText = (state: Uint8Array): string => Buffer.from(state).toString('base64');
const fromText = (text: string): Uint8Array => Buffer.from(text, 'base64');

/** Whether {@link createResumableHash} supports the hash. */
export const isResumableHash = (name: HashName): boolean => name === 'dropbox' || Object.hasOwn(plain, name);

/**
 * Starts the hash, or continues it from a stored state; undefined for a hash whose state cannot be stored. Throws for a state of another
 * version.
 */
export async function createResumableHash(name: HashName, saved?: string): Promise<ResumableHash | undefined> {
  if (name === 'dropbox') return dropboxHash(saved);
  if (name !== 'md5' && name !== 'sha1' && name !== 'sha256') return undefined;
  const hash = (await (await library())[plain[name]]()).init();
  if (saved !== undefined) hash.load(fromText(saved));
  return { update: (chunk) => void hash.update(chunk), save: () => toText(hash.save()), digest: () => hash.digest() };
}

/** The SHA-256 of the SHA-256 of every 4 MiB. https://www.dropbox.com/developers/reference/content-hash */
async function dropboxHash(saved: string | undefined): Promise<ResumableHash> {
  const { createSHA256 } = await library();
  const [blocks, block] = [(await createSHA256()).init(), (await createSHA256()).init()];
  let filled = 0;
  if (saved !== undefined) {
    const [bytes = '', outer = '', inner = ''] = saved.split('.');
    filled = Number(bytes);
    blocks.load(fromText(outer));
    block.load(fromText(inner));
  }
  const endBlock = (): void => {
    blocks.update(block.digest('binary'));
    block.init();
    filled = 0;
  };
  return {
    update(chunk) {
      for (let at = 0; at < chunk.byteLength;) {
        const piece = chunk.subarray(at, at + blockSize - filled);
        block.update(piece);
        at += piece.byteLength;
        filled += piece.byteLength;
        if (filled === blockSize) endBlock();
      }
    },
    save: () => `${filled}.${toText(blocks.save())}.${toText(block.save())}`,
    digest() {
      if (filled > 0) endBlock();
      return blocks.digest();
    },
  };
}
