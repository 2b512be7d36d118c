import { hash, randomBytes } from 'node:crypto';

/** A new secret for a cookie or a mailed link: 256 bits, base64url. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of a token: SHA-256, base64url. A plain hash is enough for 256 random bits. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url');
