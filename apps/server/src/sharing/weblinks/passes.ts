import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#/platform/clock.ts';
import type { WeblinkRow } from './store.ts';

/** Seconds for which a visitor need not enter the password again; each opening and listing restarts them. */
export const passSeconds = 3600;

type Protected = Pick<WeblinkRow, 'id' | 'passwordHash'>;

export type Passes = ReturnType<typeof createPasses>;

/**
 * A visitor's pass after the right password: its expiry, signed for this share and this password. Nothing is stored; it opens no other share, and a
 * changed password invalidates it. `{epoch seconds}.{HMAC-SHA-256, base64url}`.
 */
export function createPasses(masterKey: Buffer, now: Clock) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'sheaf weblink pass', 32));
  const sign = ({ id, passwordHash }: Protected, until: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, passwordHash, until]))
      .digest();
  /** Expiry of the pass in epoch seconds; undefined when it is not valid for the share. */
  function untilOf(share: Protected, pass: string | undefined): number | undefined {
    const [, until, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(pass ?? '') ?? [];
    if (until === undefined || signature === undefined) return undefined;
    return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(share, until)) ? Number(until) : undefined;
  }
  return {
    issue(share: Protected): string {
      const until = String(now() + passSeconds);
      return `${until}.${sign(share, until).toString('base64url')}`;
    },
    /** Whether the pass opens the share now. */
    fits: (share: Protected, pass: string | undefined): boolean => (untilOf(share, pass) ?? 0) > now(),
    /** Whether the pass was issued for the share's current password, even if it has expired. */
    wasIssued: (share: Protected, pass: string | undefined): boolean => untilOf(share, pass) !== undefined,
  };
}
