import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import { fieldsOf, jsonObject } from '../json-object.ts';
import type { Keys } from '../keys/derive.ts';
import { randomHex } from '../random-hex.ts';

/**
 * A share of vault items is a separate folder: files in the format of the vault, but with the share's own keys and numbers for names, and an index of
 * them. The keys are derived from 32 random bytes, which follow `#` in the address of the share and so never reach the server.
 */
const secretSize = 32;

export const newShareSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(secretSize)));
export const isShareSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Derives the keys of a share. The secret is random, so the derivation may be fast. */
export function shareKeys(secret: string): Keys {
  const all = hkdf(sha256, fromBase64Url(secret), undefined, new TextEncoder().encode('sheaf share: keys'), 80);
  return { data: all.slice(0, 32), name: all.slice(32, 64), tweak: all.slice(64, 80) };
}

/** A folder of a share, or a file with its stored name. */
export interface SharedItem {
  /** Clear names from the root of the share down. */
  readonly path: readonly string[];
  /** Epoch seconds. */
  readonly modified?: number;
  readonly file?: {
    readonly stored: string;
    /** Size of the clear file, in bytes. */
    readonly size: number;
    /** Nonce in base64. It is unique to the content, so a cut or swapped file is detected. */
    readonly nonce: string;
  };
}

export interface ShareIndex {
  readonly name: string;
  readonly items: readonly SharedItem[];
}

const version = 1;

export const writeShareIndex = ({ name, items }: ShareIndex): string => JSON.stringify({ v: version, name, items });

/** Returns undefined for text that is not an index of this version. */
export function readShareIndex(text: string): ShareIndex | undefined {
  const { v, name, items } = jsonObject(text) ?? {};
  if (v !== version || typeof name !== 'string' || !Array.isArray(items) || !items.every(isSharedItem)) return undefined;
  return { name, items };
}

function isSharedItem(value: unknown): value is SharedItem {
  const { path, modified, file } = fieldsOf(value) ?? {};
  const isPath = Array.isArray(path) && path.length > 0 && path.every((name) => typeof name === 'string' && name !== '');
  return isPath && (modified === undefined || Number.isFinite(modified)) && (file === undefined || isStoredFile(file));
}

function isStoredFile(value: unknown): boolean {
  const { stored, size, nonce } = fieldsOf(value) ?? {};
  return typeof stored === 'string' && /^\d+$/.test(stored) && Number.isSafeInteger(size) && typeof nonce === 'string';
}

/** Clear name of a share's folder within the vault. Its files have other keys and do not belong to the contents of the vault. */
const folderName = /^\.sheaf-share-[0-9a-f]{16}$/;
export const isShareFolderName = (name: string): boolean => folderName.test(name);
export const newShareFolderName = (): string => `.sheaf-share-${randomHex(8)}`;
