import { createCipheriv, createHash, createHmac, randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes vaults as Cryptomator 8 does (docs.cryptomator.org, "Vault Cryptography"), with OpenSSL's ciphers only, so that the code under test
 * is not checked against itself. AES-SIV is written out from RFC 5297, because Node does not offer it.
 */
interface Options {
  readonly passphrase: string;
  readonly combo: 'SIV_GCM' | 'SIV_CTRMAC';
  /** Contents by clear path; one that ends with a slash is an empty folder. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** Characters of an encrypted name above which it is shortened. */
  readonly shorteningThreshold?: number;
}

const chunkSize = 32_768;

export async function makeCryptomatorVault(
  folder: string,
  { passphrase, combo, files, shorteningThreshold = 220 }: Options,
): Promise<void> {
  const [encryption, mac] = [randomBytes(32), randomBytes(32)];
  const put = async (path: string, content: Buffer | string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  await put('masterkey.cryptomator', keyFile(passphrase, encryption, mac));
  const head = base64Url('{"kid":"masterkeyfile:masterkey.cryptomator","typ":"JWT","alg":"HS256"}');
  const body = base64Url(JSON.stringify({ format: 8, shorteningThreshold, jti: randomUUID(), cipherCombo: combo }));
  const signature = createHmac('sha256', Buffer.concat([encryption, mac]))
    .update(`${head}.${body}`)
    .digest('base64url');
  await put('vault.cryptomator', `${head}.${body}.${signature}`);

  const seal = combo === 'SIV_GCM' ? sealWithGcm : sealWithCtr;
  const ids = new Map([['', '']]);
  const placeOf = (id: string): string => {
    const hash = base32(
      createHash('sha1')
        .update(siv(mac, encryption, Buffer.from(id)))
        .digest(),
    );
    return `d/${hash.slice(0, 2)}/${hash.slice(2)}`;
  };
  /** Path of an item of the folder; an item that is shortened, or a folder, has files of its own in a folder there. */
  const nodeOf = async (folderId: string, name: string): Promise<{ node: string; isShort: boolean }> => {
    const sealed = `${padded(siv(mac, encryption, Buffer.from(name), Buffer.from(folderId)).toString('base64url'))}.c9r`;
    if (sealed.length <= shorteningThreshold) return { node: `${placeOf(folderId)}/${sealed}`, isShort: false };
    const node = `${placeOf(folderId)}/${padded(createHash('sha1').update(sealed).digest('base64url'))}.c9s`;
    await put(`${node}/name.c9s`, sealed);
    return { node, isShort: true };
  };
  await mkdir(join(folder, placeOf('')), { recursive: true });
  const folderId = async (path: string): Promise<string> => {
    const known = ids.get(path);
    if (known !== undefined) return known;
    const id = randomUUID();
    ids.set(path, id);
    const { node } = await nodeOf(await folderId(above(path)), last(path));
    await put(`${node}/dir.c9r`, id);
    await put(`${placeOf(id)}/dirid.c9r`, seal(Buffer.from(id), encryption, mac));
    return id;
  };
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) {
      await folderId(path.slice(0, -1));
      continue;
    }
    const { node, isShort } = await nodeOf(await folderId(above(path)), last(path));
    await put(isShort ? `${node}/contents.c9r` : node, seal(content, encryption, mac));
  }
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
const padded = (text: string): string => text.padEnd(Math.ceil(text.length / 4) * 4, '=');

function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{5}/g, (five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five, 2)] ?? '');
}

function keyFile(passphrase: string, encryption: Buffer, mac: Buffer): string {
  const salt = randomBytes(8);
  const kek = scryptSync(passphrase.normalize('NFC'), salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  const wrap = (key: Buffer): string => {
    const cipher = createCipheriv('id-aes256-wrap', kek, Buffer.alloc(8, 0xa6));
    return Buffer.concat([cipher.update(key), cipher.final()]).toString('base64');
  };
  const version = Buffer.alloc(4);
  version.writeUInt32BE(999);
  return JSON.stringify({
    version: 999,
    scryptSalt: salt.toString('base64'),
    scryptCostParam: 32_768,
    scryptBlockSize: 8,
    primaryMasterKey: wrap(encryption),
    hmacMasterKey: wrap(mac),
    versionMac: createHmac('sha256', mac).update(version).digest('base64'),
  });
}

const bigEndian = (chunk: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(chunk));
  return bytes;
};
const chunksOf = (clear: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(clear.length / chunkSize) }, (_, index) => clear.subarray(index * chunkSize, (index + 1) * chunkSize));

function sealWithGcm(clear: Buffer, encryption: Buffer): Buffer {
  const gcm = (key: Buffer, nonce: Buffer, text: Buffer, proved: Buffer): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(proved);
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
  };
  const [nonce, key] = [randomBytes(12), randomBytes(32)];
  const header = gcm(encryption, nonce, Buffer.concat([Buffer.alloc(8, 0xff), key]), Buffer.alloc(0));
  const chunks = chunksOf(clear).map((chunk, index) => gcm(key, randomBytes(12), chunk, Buffer.concat([bigEndian(index), nonce])));
  return Buffer.concat([header, ...chunks]);
}

function sealWithCtr(clear: Buffer, encryption: Buffer, mac: Buffer): Buffer {
  const sealed = (key: Buffer, nonce: Buffer, text: Buffer, before: Buffer): Buffer => {
    const cipher = createCipheriv('aes-256-ctr', key, nonce);
    const body = Buffer.concat([nonce, cipher.update(text), cipher.final()]);
    return Buffer.concat([body, createHmac('sha256', mac).update(before).update(body).digest()]);
  };
  const [nonce, key] = [randomBytes(16), randomBytes(32)];
  const header = sealed(encryption, nonce, Buffer.concat([Buffer.alloc(8, 0xff), key]), Buffer.alloc(0));
  const chunks = chunksOf(clear).map((chunk, index) => sealed(key, randomBytes(16), chunk, Buffer.concat([nonce, bigEndian(index)])));
  return Buffer.concat([header, ...chunks]);
}

const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
/** Doubles in GF(2^128) (RFC 5297, section 2.3). */
const doubled = (bytes: Buffer): Buffer => {
  const twice = Buffer.from(bytes.map((byte, index) => (byte << 1) | ((bytes[index + 1] ?? 0) >> 7)));
  return ((bytes[0] ?? 0) & 0x80) === 0 ? twice : xor(twice, Buffer.from(`${'00'.repeat(15)}87`, 'hex'));
};
/** AES-CMAC (RFC 4493). */
function cmac(key: Buffer, text: Buffer): Buffer {
  const block = (bytes: Buffer): Buffer => createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(bytes);
  const first = doubled(block(Buffer.alloc(16)));
  const count = Math.max(1, Math.ceil(text.length / 16));
  const end = text.subarray((count - 1) * 16);
  const isWhole = end.length === 16;
  const tail = isWhole ? xor(end, first) : xor(Buffer.concat([end, Buffer.from([0x80])], 16), doubled(first));
  let state = Buffer.alloc(16);
  for (let index = 0; index < count - 1; index++) state = block(xor(state, text.subarray(index * 16, index * 16 + 16))) as typeof state;
  return block(xor(state, tail));
}

/** AES-SIV (RFC 5297): the synthetic number, and the text encrypted under it. */
function siv(macKey: Buffer, key: Buffer, text: Buffer, ...proved: readonly Buffer[]): Buffer {
  let state = cmac(macKey, Buffer.alloc(16));
  for (const part of proved) state = xor(doubled(state), cmac(macKey, part));
  const sum =
    text.length >= 16
      ? Buffer.concat([text.subarray(0, -16), xor(text.subarray(-16), state)])
      : xor(doubled(state), Buffer.concat([text, Buffer.from([0x80])], 16));
  const number = cmac(macKey, sum);
  const counter = Buffer.from(number);
  counter[8] = (counter[8] ?? 0) & 0x7f;
  counter[12] = (counter[12] ?? 0) & 0x7f;
  return Buffer.concat([number, createCipheriv('aes-256-ctr', key, counter).update(text)]);
}
