import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#/platform/clock.ts';
import type { WeblinkRow } from './store.ts';

/** Seconds for which a visitor who gave the password is let in without it; each opening and listing begins them anew. */
export const passSeconds = 3600;

type Protected = Pick<WeblinkRow, 'id' | 'passwordHash'>;

export type Passes = ReturnType<typeof createPasses>;

/**
 * What a visitor's browser keeps after the right password: the time until which it counts, signed for this share and this password, so that nothing
 * need be stored, another share is not opened by it, and a changed password ends it. `{epoch seconds}.{HMAC-SHA-256, base64url}`.
 */
export function createPasses(masterKey: Buffer, now: Clock) {
  const key = Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'sheaf weblink pass', 32));
  const sign = ({ id, passwordHash }: Protected, until: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, passwordHash, until]))
      .digest();
  /** Until when the pass opens the share, in epoch seconds; undefined when it is none. */
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
    /** Whether the pass was given for the share's password as it is now, be it too late to open anything with it. */
    wasIssued: (share: Protected, pass: string | undefined): boolean => untilOf(share, pass) !== undefined,
  };
}
