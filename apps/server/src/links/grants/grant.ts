import { hash } from 'node:crypto';
import type { Grant, ProviderApp } from '@sheaf/connectors';
import { appError } from '@sheaf/contract';

/** Name of the secret with a link's grant. */
export const grantField = 'grant';

/** A grant before sealing. */
export const writeGrant = ({ accessToken, refreshToken, expiresAt }: Grant): string =>
  JSON.stringify({ accessToken, refreshToken, expiresAt });

/** Parses the text of {@link writeGrant}; throws UNEXPECTED for anything else. */
export function readGrant(text: string): Grant {
  const value: unknown = JSON.parse(text);
  const { accessToken, refreshToken, expiresAt } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const isGrant =
    typeof accessToken === 'string' &&
    (refreshToken === undefined || typeof refreshToken === 'string') &&
    (expiresAt === undefined || typeof expiresAt === 'number');
  if (!isGrant) throw appError('UNEXPECTED', { code: '799' });
  return { accessToken, ...(refreshToken !== undefined && { refreshToken }), ...(expiresAt !== undefined && { expiresAt }) };
}

/**
 * Equal for all grants that a provider may revoke together: those of one account to one application, whichever of the provider's services they are
 * for. Connectors of one provider identify the account by its email address where they know it.
 */
export function ownerOf({ clientId = '' }: ProviderApp, info: Readonly<Record<string, string>>): string {
  const email = Object.values(info).find((value) => /^\S+@\S+$/.test(value));
  const account = email?.toLowerCase() ?? Object.entries(info).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([clientId, account]), 'base64url');
}
