import { type KeyObject, createHash, verify } from 'node:crypto';
import { appError } from '@sheaf/contract';

/** A key that a FIDO security key keeps: https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.u2f */
export interface SecurityKey {
  /** The kind of key that it has: its public key and its signature are those of this kind. */
  readonly plain: string;
  /** What the key was made for, `ssh:` and a name that its owner chose. */
  readonly application: string;
}

const plainKinds: Readonly<Record<string, string>> = {
  'sk-ssh-ed25519@openssh.com': 'ssh-ed25519',
  'sk-ecdsa-sha2-nistp256@openssh.com': 'ecdsa-sha2-nistp256',
};
/** Bytes of an application's name, of one number of a P-256 signature, and of the flags and the counter behind a signature. */
const longestApplication = 255;
const numberSize = 32;
const tailSize = 5;
/** The flag that says that somebody has touched the device. */
const userPresent = 0x01;

/** The kind of key that a security key of this kind has; other kinds as they are. */
export const plainKindOf = (kind: string): string => (Object.hasOwn(plainKinds, kind) ? plainKinds[kind] : undefined) ?? kind;

/**
 * The device of a key, whose last field is the application. Throws SSH_KEY_UNREADABLE for a key that was made for anything but SSH: such a device
 * signs for whoever runs that application.
 */
export function securityKeyOf(plain: string, field: Buffer | undefined): SecurityKey {
  const application = field?.toString('latin1') ?? '';
  if (!application.startsWith('ssh:') || application.length > longestApplication) throw appError('SSH_KEY_UNREADABLE', {});
  return { plain, application };
}

/** Both numbers of an ECDSA signature as 64 bytes (IEEE P1363); undefined where they are none. */
function numbersOf(bytes: Buffer): Buffer | undefined {
  const numbers: Buffer[] = [];
  let rest = bytes;
  for (let count = 0; count < 2; count++) {
    const length = rest.length < 4 ? -1 : rest.readUInt32BE();
    if (length < 1 || length > rest.length - 4) return undefined;
    const number = rest.subarray(4, 4 + length);
    rest = rest.subarray(4 + length);
    // A positive `mpint` has a zero before a first bit that is set (RFC 4251, 5).
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if ((number[0] ?? 0) >= 0x80 || digits.length > numberSize) return undefined;
    numbers.push(Buffer.alloc(numberSize - digits.length), digits);
  }
  return rest.length === 0 ? Buffer.concat(numbers) : undefined;
}

/**
 * Verifies a device's signature of a message: the signature, one byte of flags, and the device's counter. Without a touch it is none. The counter is
 * signed but not remembered: OpenSSH's server does not either, and each message holds the session's id, so that none can be sent again.
 */
export function isSignedByDevice(key: KeyObject, { plain, application }: SecurityKey, message: Buffer, signature: Buffer): boolean {
  const tail = signature.subarray(-tailSize);
  if (tail.length < tailSize || ((tail[0] ?? 0) & userPresent) === 0) return false;
  const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
  const signed = Buffer.concat([hashOf(Buffer.from(application, 'latin1')), tail, hashOf(message)]);
  const own = signature.subarray(0, -tailSize);
  if (plain === 'ssh-ed25519') return verify(null, signed, key, own);
  const numbers = numbersOf(own);
  return numbers !== undefined && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, numbers);
}
