import { type JsonWebKeyInput, type KeyObject, createHash, createPublicKey, verify } from 'node:crypto';
import { appError, isPrivateSshKey } from '@sheaf/contract';
import { type SecurityKey, isSignedByDevice, plainKindOf, securityKeyOf } from './security-keys.ts';

/** Kinds of ECDSA keys with their curve, its name in JSON Web Keys, bytes of a coordinate and hash (RFC 5656, 6.2.1). */
const curves = {
  'ecdsa-sha2-nistp256': { curve: 'nistp256', crv: 'P-256', size: 32, hash: 'sha256' },
  'ecdsa-sha2-nistp384': { curve: 'nistp384', crv: 'P-384', size: 48, hash: 'sha384' },
  'ecdsa-sha2-nistp521': { curve: 'nistp521', crv: 'P-521', size: 66, hash: 'sha512' },
} as const;
const isCurve = (kind: string): kind is keyof typeof curves => Object.hasOwn(curves, kind);
const leastBits = 2048;
/** As in OpenSSH. */
const mostBits = 16_384;
/** Most bytes of the exponent of an RSA key. Usual ones have 3; long ones would make verifying expensive. */
const longestExponent = 8;

export interface PublicKey {
  /** `ssh-ed25519`, `ssh-rsa`, `ecdsa-sha2-` and the curve, or one of a security key. */
  readonly kind: string;
  /** The kind, a space, and the bytes in base64: a line of a .pub file without its comment. */
  readonly line: string;
  readonly key: KeyObject;
  /** Set for a key that a security key keeps. */
  readonly device?: SecurityKey;
}

/** `SHA256:` and the hash of the key's bytes, as `ssh-keygen -l` prints it. */
export function fingerprintOf(line: string): string {
  const [, base64 = ''] = line.split(' ');
  return `SHA256:${createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64').replaceAll('=', '')}`;
}

/** Strings of the wire format (RFC 4251, 5). Throws SSH_KEY_UNREADABLE. */
function* stringsOf(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length;) {
    const from = at + 4;
    if (from > bytes.length) throw appError('SSH_KEY_UNREADABLE', {});
    at = from + bytes.readUInt32BE(at);
    if (at > bytes.length) throw appError('SSH_KEY_UNREADABLE', {});
    yield bytes.subarray(from, at);
  }
}

/** A positive `mpint` without its leading zeros. */
function numberOf(bytes: Buffer | undefined): Buffer {
  const first = bytes?.findIndex((byte) => byte !== 0) ?? -1;
  if (!bytes || first < 0 || (bytes[0] ?? 0) >= 0x80) throw appError('SSH_KEY_UNREADABLE', {});
  return bytes.subarray(first);
}

function webKeyOf(kind: string, fields: readonly Buffer[]): JsonWebKeyInput['key'] {
  if (kind === 'ssh-ed25519' && fields.length === 1) return { kty: 'OKP', crv: 'Ed25519', x: fields[0]?.toString('base64url') ?? '' };
  if (kind === 'ssh-rsa' && fields.length === 2) {
    const [exponent, modulus] = [numberOf(fields[0]), numberOf(fields[1])];
    const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24;
    if (bits < leastBits || bits > mostBits)
      throw appError('SSH_KEY_SIZE', { least: String(leastBits), most: String(mostBits), bits: String(bits) });
    if (exponent.length <= longestExponent) return { kty: 'RSA', e: exponent.toString('base64url'), n: modulus.toString('base64url') };
  }
  const [name, point] = fields;
  if (isCurve(kind) && fields.length === 2 && point) {
    const { curve, crv, size } = curves[kind];
    // An uncompressed point (SEC 1, 2.3.3).
    if (name?.toString('latin1') === curve && point.length === 1 + 2 * size && point[0] === 4)
      return {
        kty: 'EC',
        crv,
        x: point.subarray(1, 1 + size).toString('base64url'),
        y: point.subarray(1 + size).toString('base64url'),
      };
  }
  throw appError('SSH_KEY_UNREADABLE', {});
}

/** The key with these bytes in SSH's wire format. Throws SSH_KEY_UNREADABLE, SSH_KEY_KIND, SSH_KEY_SIZE. */
export function publicKeyOf(bytes: Buffer): PublicKey {
  const strings = stringsOf(bytes);
  const kind = strings.next().value?.toString('latin1') ?? '';
  if (!/^[a-z0-9@.-]{1,64}$/i.test(kind)) throw appError('SSH_KEY_UNREADABLE', {});
  const plain = plainKindOf(kind);
  if (plain !== 'ssh-ed25519' && plain !== 'ssh-rsa' && !isCurve(plain)) throw appError('SSH_KEY_KIND', { kind });
  const fields = [...strings];
  const device = plain === kind ? undefined : securityKeyOf(plain, fields.pop());
  const webKey = webKeyOf(plain, fields);
  try {
    const key = createPublicKey({ key: webKey, format: 'jwk' });
    return { kind, line: `${kind} ${bytes.toString('base64')}`, key, ...(device && { device }) };
  } catch {
    // A point that is not on the curve, for example.
    throw appError('SSH_KEY_UNREADABLE', {});
  }
}

/** The bytes of a key in a text: one line as OpenSSH writes it, or the lines of RFC 4716. */
function bytesIn(text: string): Buffer {
  const framed = /^---- BEGIN SSH2 PUBLIC KEY ----\r?\n([\s\S]*?)\r?\n---- END SSH2 PUBLIC KEY ----$/.exec(text.trim());
  // Headers may go on after a backslash at the end of a line.
  const base64 = framed
    ? framed[1]?.replaceAll(/\\\r?\n/g, '').replaceAll(/^.*:.*$|\s/gm, '')
    : /^[a-z0-9@.-]+[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t][^\r\n]*)?$/.exec(text.trim())?.[1];
  const bytes = Buffer.from(base64 ?? '', 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== base64) throw appError('SSH_KEY_UNREADABLE', {});
  return bytes;
}

/** The public key in a text that a person pasted. Throws SSH_KEY_PRIVATE, SSH_KEY_UNREADABLE, SSH_KEY_KIND, SSH_KEY_SIZE. */
export function readPublicKey(text: string): PublicKey {
  if (isPrivateSshKey(text)) throw appError('SSH_KEY_PRIVATE', {});
  return publicKeyOf(bytesIn(text));
}

/**
 * A signature of SSH without the name of its algorithm: RSA as PKCS #1 with `sha256` or `sha512`, ECDSA as ASN.1, a security key's as the wire has it.
 * False with any other hash for RSA, so that SHA-1 never signs in.
 */
export function isSignedWith(
  { kind, key, device }: PublicKey,
  { message, signature, hash }: { readonly message: Buffer; readonly signature: Buffer; readonly hash: string | undefined },
): boolean {
  if (kind === 'ssh-rsa' && hash !== 'sha256' && hash !== 'sha512') return false;
  const used = isCurve(kind) ? curves[kind].hash : kind === 'ssh-rsa' ? hash : undefined;
  try {
    return device ? isSignedByDevice(key, device, message, signature) : verify(used, message, key, signature);
  } catch {
    return false;
  }
}
