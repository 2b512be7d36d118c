import type { AppPassword } from '@sheaf/contract';
import { dateOf, momentOf } from '#/features/accounts/dates.ts';

export const rightsWords = ({ rights }: Pick<AppPassword, 'rights'>): string => (rights === 'write' ? 'Read and write' : 'Read');

export const hasEnded = ({ expires }: AppPassword, now: number): boolean => expires !== undefined && expires <= now;

const kinds: Readonly<Record<string, string>> = {
  'ssh-ed25519': 'Ed25519',
  'ssh-rsa': 'RSA',
  'sk-ssh-ed25519@openssh.com': 'Ed25519 in a security key,',
  'sk-ecdsa-sha2-nistp256@openssh.com': 'ECDSA in a security key,',
};

/** Kind and fingerprint of an SSH key; empty for a password. */
export const keyWords = ({ sshKey }: Pick<AppPassword, 'sshKey'>): string =>
  sshKey ? `${kinds[sshKey.kind] ?? 'ECDSA'} ${sshKey.fingerprint}` : '';

/** When it ends, or has ended. */
export function endWords(password: AppPassword, now: number): string {
  if (password.expires === undefined) return 'does not expire';
  return `${hasEnded(password, now) ? 'expired' : 'expires'} on ${dateOf(password.expires)}`;
}

/** When it was last used, and by what. */
export function usedWords({ lastUsedAt, lastUsedBy }: AppPassword): string {
  if (lastUsedAt === undefined) return 'not used yet';
  return lastUsedBy === undefined ? `last used ${momentOf(lastUsedAt)}` : `last used ${momentOf(lastUsedAt)} by ${lastUsedBy}`;
}
