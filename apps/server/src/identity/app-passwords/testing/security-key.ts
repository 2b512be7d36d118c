import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { sshString } from '@sheaf/connectors';

/** A positive `mpint` of SSH's wire format. */
function sshNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(first < 0 ? bytes.length : first);
  return sshString((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits);
}

const hashOf = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

export interface Touch {
  /** The flags that the device reports; 1: somebody has touched it. */
  readonly flags?: number;
  readonly counter?: number;
}

/**
 * A FIDO security key with one SSH key, as software: it signs what PROTOCOL.u2f of OpenSSH says that a device signs.
 * https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.u2f
 */
export function securityKeyDevice(kind: 'ed25519' | 'ecdsa', application = 'ssh:') {
  const pair = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
  const [first, second] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const algorithm = kind === 'ed25519' ? 'sk-ssh-ed25519@openssh.com' : 'sk-ecdsa-sha2-nistp256@openssh.com';
  const point = Buffer.concat([Buffer.of(4), first, second]);
  const fields = kind === 'ed25519' ? [first] : ['nistp256', point];
  const blob = Buffer.concat([algorithm, ...fields, application].map(sshString));

  /** The signature without the name of its algorithm and the length of its first part, as the SSH library hands it over. */
  function signed(message: Uint8Array, { flags = 1, counter = 7 }: Touch = {}): { readonly own: Buffer; readonly tail: Buffer } {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    const data = Buffer.concat([hashOf(application), tail, hashOf(message)]);
    if (kind === 'ed25519') return { own: sign(null, data, pair.privateKey), tail };
    const numbers = sign('sha256', data, { key: pair.privateKey, dsaEncoding: 'ieee-p1363' });
    return { own: Buffer.concat([sshNumber(numbers.subarray(0, 32)), sshNumber(numbers.subarray(32))]), tail };
  }
  return {
    algorithm,
    /** The public key in the wire format, and as a line of a .pub file. */
    blob,
    line: `${algorithm} ${blob.toString('base64')}`,
    sign(message: Uint8Array, touch?: Touch): Buffer {
      const { own, tail } = signed(message, touch);
      return Buffer.concat([own, tail]);
    },
    /** The signature as an agent sends it. */
    wireSignature(message: Uint8Array, touch?: Touch): Buffer {
      const { own, tail } = signed(message, touch);
      return Buffer.concat([sshString(algorithm), sshString(own), tail]);
    },
  };
}
