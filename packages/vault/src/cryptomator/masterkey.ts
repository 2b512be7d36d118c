import { aeskw } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { fromBase64, fromBase64Url } from '../base64.ts';

/** The two keys of a Cryptomator vault (Cryptomator documentation, "Vault Cryptography"). */
export interface Masterkey {
  readonly encryption: Uint8Array;
  readonly mac: Uint8Array;
}

/** Cipher of the contents: AES-GCM, or, in older vaults, AES-CTR with an HMAC. */
export type CipherCombo = 'SIV_GCM' | 'SIV_CTRMAC';

/** Names of the two files at the root of every vault. */
export const masterkeyName = 'masterkey.cryptomator';
export const configName = 'vault.cryptomator';

/** Limits on the scrypt cost that a key file may demand of a browser. */
const mostMemory = 1024 * 1024 * 1024;
const writer = new TextEncoder();
const reader = new TextDecoder();
const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index]);

/**
 * Decrypts the keys in the text of `masterkey.cryptomator`; undefined for a wrong passphrase, which the key wrap (RFC 3394) detects. Throws for a text
 * that is not a key file.
 */
export async function openMasterkey(text: string, passphrase: string): Promise<Masterkey | undefined> {
  const file = parse(text);
  const { scryptCostParam: N, scryptBlockSize: r } = file;
  const kek = await scryptAsync(writer.encode(passphrase.normalize('NFC')), fromBase64(file.scryptSalt), {
    N,
    r,
    p: 1,
    dkLen: 32,
    maxmem: mostMemory,
  });
  let masterkey: Masterkey;
  try {
    masterkey = {
      encryption: aeskw(kek).decrypt(fromBase64(file.primaryMasterKey)),
      mac: aeskw(kek).decrypt(fromBase64(file.hmacMasterKey)),
    };
  } catch {
    return undefined;
  }
  const version = new Uint8Array(4);
  new DataView(version.buffer).setUint32(0, file.version);
  if (!isEqual(hmac(sha256, masterkey.mac, version), fromBase64(file.versionMac)))
    throw new Error('The version of the key file was changed.');
  return masterkey;
}

interface MasterkeyFile {
  readonly version: number;
  readonly scryptSalt: string;
  readonly scryptCostParam: number;
  readonly scryptBlockSize: number;
  readonly primaryMasterKey: string;
  readonly hmacMasterKey: string;
  readonly versionMac: string;
}

function parse(text: string): MasterkeyFile {
  const value = JSON.parse(text) as Partial<MasterkeyFile> | null;
  const { version, scryptSalt, scryptCostParam: N = 0, scryptBlockSize: r = 0, primaryMasterKey, hmacMasterKey, versionMac } = value ?? {};
  const areTexts = [scryptSalt, primaryMasterKey, hmacMasterKey, versionMac].every((one) => typeof one === 'string');
  const isSane = Number.isSafeInteger(N) && Number.isSafeInteger(r) && N > 1 && r > 0 && 128 * N * r <= mostMemory;
  if (!areTexts || !isSane || typeof version !== 'number') throw new Error('This is no key file of Cryptomator.');
  return value as MasterkeyFile;
}

type Mac = (key: Uint8Array, text: Uint8Array) => Uint8Array;
const macs: Readonly<Record<string, Mac>> = {
  HS256: (key, text) => hmac(sha256, key, text),
  HS384: (key, text) => hmac(sha384, key, text),
  HS512: (key, text) => hmac(sha512, key, text),
};

/** Reads `vault.cryptomator`, a JSON Web Token signed with the keys. Throws if the signature does not match, or the format is not 8. */
export function readConfig(token: string, { encryption, mac }: Masterkey): { readonly cipherCombo: CipherCombo } {
  const [head = '', body = '', signature = ''] = token.trim().split('.');
  const { alg } = jsonOf(head) as { alg?: unknown };
  const macOf = typeof alg === 'string' ? macs[alg] : undefined;
  if (!macOf) throw new Error('The settings of this vault are not signed in a known way.');
  const key = Uint8Array.of(...encryption, ...mac);
  if (!isEqual(macOf(key, writer.encode(`${head}.${body}`)), fromBase64Url(signature)))
    throw new Error('The settings of this vault were changed, or belong to another one.');
  const { format, cipherCombo } = jsonOf(body) as { format?: unknown; cipherCombo?: unknown };
  if (format !== 8 || (cipherCombo !== 'SIV_GCM' && cipherCombo !== 'SIV_CTRMAC'))
    throw new Error('This vault has another format than Cryptomator’s 8.');
  return { cipherCombo };
}

const jsonOf = (part: string): unknown => JSON.parse(reader.decode(fromBase64Url(part)));
