import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { keyIdOf } from '#/secrets/vault.ts';
import { BadBackup, cutOff, damaged, endDiffers, newer, notABackup } from './damage.ts';

/**
 * Encrypted files. Layout: 8 bytes "SHEAFBAK", the length of the head (4 bytes, big-endian), the head (JSON), then chunks of 64 KiB of plaintext,
 * each followed by its tag of 16 bytes; only the last chunk is shorter, and it may be empty. AES-256-GCM with a key of this file alone, which HKDF
 * derives from the secret and the salt in the head. The nonce is the chunk's number (8 bytes), three zero bytes, and 1 for the last chunk, otherwise 0;
 * the bytes before the first chunk are additional data of every chunk. So chunks cannot be changed, moved, removed or added, nor the file cut.
 * This is the construction STREAM of https://eprint.iacr.org/2015/189.
 */
const magic = Buffer.from('SHEAFBAK');
const format = 1;
const chunkSize = 65_536;
const tagSize = 16;
const mostHead = 4096;
/** 128 MiB of memory and about half a second for each guess: https://www.rfc-editor.org/rfc/rfc7914 */
const cost = { N: 131_072, r: 8, p: 1, maxmem: 192 << 20 } as const;

const Head = Type.Object({
  format: Type.Literal(format),
  /** Epoch seconds. */
  madeAt: Type.Integer(),
  sealedWith: Type.Union([Type.Literal('key'), Type.Literal('passphrase')]),
  /** The id of the installation's key. */
  keyId: Type.String(),
  salt: Type.String(),
  /** Tells a wrong passphrase from a damaged file: a MAC of the rest of the head. */
  check: Type.String(),
});
export type Head = Static<typeof Head>;

/** What seals a file: the key of the installation, or a passphrase. */
export type Secret = { readonly key: Buffer } | { readonly passphrase: string };

const stretch = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

async function fileKeys(secret: Secret, salt: Buffer): Promise<{ readonly content: Buffer; readonly check: Buffer }> {
  const base = 'key' in secret ? secret.key : await stretch(secret.passphrase.normalize('NFC'), salt, 32, cost);
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', base, salt, `sheaf backup ${purpose}`, 32));
  return { content: derive('content'), check: derive('check') };
}

const checkOf = ({ madeAt, sealedWith, keyId, salt }: Omit<Head, 'check'>, key: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([format, madeAt, sealedWith, keyId, salt]))
    .digest();

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(index));
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

interface Sealing {
  readonly secret: Secret;
  /** The installation's key, named in the head. */
  readonly masterKey: Buffer;
  /** Epoch seconds. */
  readonly madeAt: number;
}

/** The bytes of the sealed file. */
export async function* sealFile(plain: AsyncIterable<Buffer>, { secret, masterKey, madeAt }: Sealing): AsyncGenerator<Buffer> {
  const salt = randomBytes(32);
  const keys = await fileKeys(secret, salt);
  const sealedWith = 'key' in secret ? ('key' as const) : ('passphrase' as const);
  const base = { format, madeAt, sealedWith, keyId: keyIdOf(masterKey), salt: salt.toString('base64') } as const;
  const head = Buffer.from(JSON.stringify({ ...base, check: checkOf(base, keys.check).toString('base64') } satisfies Head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  const beginning = Buffer.concat([magic, length, head]);
  yield beginning;
  let index = 0;
  const seal = (chunk: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', keys.content, nonceOf(index++, isLast)).setAAD(beginning);
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  for await (const { chunk, isLast } of chunksOf(plain, chunkSize)) yield seal(chunk, isLast);
}

/** Cuts a stream into chunks of this size; the last one is shorter, perhaps empty. */
async function* chunksOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let parts: Buffer[] = [];
  let waiting = 0;
  for await (const part of stream) {
    parts.push(part);
    waiting += part.length;
    if (waiting < size) continue;
    let rest = Buffer.concat(parts);
    for (; rest.length >= size; rest = rest.subarray(size)) yield { chunk: rest.subarray(0, size), isLast: false };
    parts = [rest];
    waiting = rest.length;
  }
  yield { chunk: Buffer.concat(parts), isLast: true };
}

/** Reads a sealed file. `secretFor` chooses the secret by the head, which is not proven yet. Throws BadBackup. */
export async function openFile(
  file: AsyncIterable<Buffer>,
  secretFor: (head: Head) => Secret | Promise<Secret>,
): Promise<{ readonly head: Head; readonly plain: AsyncIterable<Buffer> }> {
  const source = file[Symbol.asyncIterator]();
  let buffered = Buffer.alloc(0);
  /** Reads until this many bytes are buffered; false when the file ends before. */
  async function fill(size: number): Promise<boolean> {
    while (buffered.length < size) {
      const next = await source.next();
      if (next.done === true) return false;
      buffered = Buffer.concat([buffered, next.value]);
    }
    return true;
  }
  const start = magic.length + 4;
  const hasStart = await fill(start);
  if (!buffered.subarray(0, magic.length).equals(magic.subarray(0, buffered.length)) || buffered.length === 0) throw notABackup();
  if (!hasStart) throw cutOff();
  const length = buffered.readUInt32BE(magic.length);
  if (length > mostHead) throw damaged();
  if (!(await fill(start + length))) throw cutOff();
  const beginning = buffered.subarray(0, start + length);
  const head = parseHead(beginning.subarray(start).toString('utf8'));
  const secret = await secretFor(head);
  const keys = await fileKeys(secret, Buffer.from(head.salt, 'base64'));
  if (!isEqual(checkOf(head, keys.check), Buffer.from(head.check, 'base64'))) throw wrongSecret(secret);
  const rest = buffered.subarray(start + length);
  async function* remaining(): AsyncGenerator<Buffer> {
    yield rest;
    for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
  }
  return { head, plain: decrypt(remaining(), keys.content, beginning) };
}

async function* decrypt(sealed: AsyncIterable<Buffer>, key: Buffer, beginning: Buffer): AsyncGenerator<Buffer> {
  let index = 0;
  const open = (chunk: Buffer, isLast: boolean): Buffer | undefined => {
    if (chunk.length < tagSize) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, isLast), { authTagLength: tagSize }).setAAD(beginning);
    decipher.setAuthTag(chunk.subarray(-tagSize));
    const text = decipher.update(chunk.subarray(0, -tagSize));
    try {
      decipher.final();
    } catch {
      // The only failure of `final` here is a tag that does not match.
      return undefined;
    }
    return text;
  };
  for await (const { chunk, isLast } of chunksOf(sealed, chunkSize + tagSize)) {
    const plain = open(chunk, isLast);
    if (plain === undefined) throw !isLast ? damaged() : chunk.length < tagSize ? cutOff() : endDiffers();
    index++;
    yield plain;
  }
}

function parseHead(text: string): Head {
  let head: unknown;
  try {
    head = JSON.parse(text);
  } catch (error) {
    throw Object.assign(damaged(), { cause: error });
  }
  if (typeof head === 'object' && head !== null && 'format' in head && typeof head.format === 'number' && head.format > format)
    throw newer();
  if (!Check(Head, head)) throw damaged();
  return head;
}

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
const wrongSecret = (secret: Secret): BadBackup =>
  'key' in secret
    ? new BadBackup('This key does not open the backup.')
    : new BadBackup('The passphrase is wrong, or the beginning of the file was changed.');
