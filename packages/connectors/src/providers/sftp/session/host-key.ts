import { createHash } from 'node:crypto';
import type { ServerHostKeyAlgorithm } from 'ssh2';
import type { Env } from '../../../core/definition.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { SftpConfig } from '../config.ts';

export interface HostKeyRule {
  /** Algorithms to offer: the type of the known key first, so that a second key type is no change. */
  readonly algorithms: ServerHostKeyAlgorithm[];
  /** Whether to continue with a server that presents this key. */
  verify(key: Buffer): boolean;
  /** Why `verify` returned false. */
  refusal(): ConnectorError | undefined;
  /** Stores a new, accepted key. */
  keep(): Promise<void>;
}

/** Key types and their signature algorithms (RFC 8332 for RSA; ssh-rsa with SHA-1 is not offered). */
const signatures: readonly (readonly [string, readonly ServerHostKeyAlgorithm[]])[] = [
  ['ssh-ed25519', ['ssh-ed25519']],
  ['ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256']],
  ['ecdsa-sha2-nistp384', ['ecdsa-sha2-nistp384']],
  ['ecdsa-sha2-nistp521', ['ecdsa-sha2-nistp521']],
  ['ssh-rsa', ['rsa-sha2-512', 'rsa-sha2-256']],
];

/** Trust on first use: the first key must be presented ever after, unless the link does not enforce it or the user has accepted another. */
export async function hostKeyRule({ enforceSSL, acceptedHostKey }: SftpConfig, env: Env): Promise<HostKeyRule> {
  const known = await env.recall('hostKey');
  const knownType = await env.recall('hostKeyType');
  let shown: { readonly fingerprint: string; readonly type: string } | undefined;
  let refusal: ConnectorError | undefined;

  return {
    algorithms: [...signatures].sort(([a], [b]) => Number(b === knownType) - Number(a === knownType)).flatMap(([, names]) => names),
    verify(key) {
      shown = { fingerprint: fingerprintOf(key), type: typeOf(key) };
      const expected = known === undefined || known === shown.fingerprint;
      if (expected || enforceSSL === 'IGNORE_MATCH' || acceptedHostKey === shown.fingerprint) return true;
      refusal = new ConnectorError('hostKeyChanged', 'the server shows another host key than before', {
        details: { fingerprint: shown.fingerprint },
      });
      return false;
    },
    refusal: () => refusal,
    async keep() {
      if (!shown || shown.fingerprint === known) return;
      await env.remember('hostKey', shown.fingerprint);
      await env.remember('hostKeyType', shown.type);
    },
  };
}

/** Returns a key's fingerprint in OpenSSH's format. */
const fingerprintOf = (key: Buffer): string => `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** A public key starts with the name of its type: RFC 4253, 6.6. */
const typeOf = (key: Buffer): string => key.toString('latin1', 4, 4 + key.readUInt32BE(0));
