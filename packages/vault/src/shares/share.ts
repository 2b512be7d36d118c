import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import { fieldsOf, jsonObject } from '../json-object.ts';
import type { Keys } from '../keys/derive.ts';
import { randomHex } from '../random-hex.ts';

/**
 * A share of items of a vault is a folder of its own: files in the format of the vault's, but with keys of their own and numbers as names, and an index
 * that says what they are. The keys follow from 32 random bytes, which stand after `#` in the share's address.
 */
const secretSize = 32;

export const newShareSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(secretSize)));
export const isShareSecret = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** The keys of a share. The secret is random, so that nothing has to make guessing slow. */
export function shareKeys(secret: string): Keys {
  const all = hkdf(sha256, fromBase64Url(secret), undefined, new TextEncoder().encode('sheaf share: keys'), 80);
  return { data: all.slice(0, 32), name: all.slice(32, 64), tweak: all.slice(64, 80) };
}

/** An item of a share: a folder, or a file with its name at the storage. */
export interface SharedItem {
  /** Clear names, from the share down. */
  readonly path: readonly string[];
  /** Epoch seconds. */
  readonly modified?: number;
  readonly file?: {
    readonly stored: string;
    /** Of the clear file, in bytes. */
    readonly size: number;
    /** Base64 of the nonce: it names the content, so that a cut or exchanged file is told. */
    readonly nonce: string;
  };
}

export interface ShareIndex {
  readonly name: string;
  readonly items: readonly SharedItem[];
}

const version = 1;

export const writeShareIndex = ({ name, items }: ShareIndex): string => JSON.stringify({ v: version, name, items });

/** Undefined for a text that is no index of this version. */
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

/** Name of the folder of a share within the vault, before it is encrypted: its files have other keys, and are no part of the vault's contents. */
const folderName = /^\.sheaf-share-[0-9a-f]{16}$/;
export const isShareFolderName = (name: string): boolean => folderName.test(name);
export const newShareFolderName = (): string => `.sheaf-share-${randomHex(8)}`;
