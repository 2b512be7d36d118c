import { randomBytes } from 'node:crypto';
import type { Account, Identity, RejectedToken } from '../identity.ts';

/** What an account has granted to a client. */
export interface Grant {
  readonly account: Account;
  readonly scopes: readonly string[];
  /** Whether it includes refresh tokens. */
  readonly offline: boolean;
}

/** Issued tokens. */
export interface Issued extends Grant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds; undefined when it never expires. */
  readonly expiresIn: number | undefined;
}

/** What a refresh does to the refresh token: nothing, issues an additional one, or replaces it. */
export type Rotation = 'none' | 'kept' | 'singleUse';

interface Options {
  readonly rotation: Rotation;
  readonly accessSeconds: number | undefined;
  readonly refreshSeconds: number | undefined;
  /** Epoch ms. */
  readonly now: () => number;
}

interface Live {
  readonly grant: Grant;
  isRevoked: boolean;
}

/** Why a refresh token is refused. */
export type RejectedRefresh = 'unknown' | 'expired' | 'used' | 'revoked';

export type Tokens = ReturnType<typeof createTokens>;

/** Every token that was ever issued, with its state. */
export function createTokens({ rotation, accessSeconds, refreshSeconds, now }: Options) {
  const access = new Map<string, { live: Live; scopes: readonly string[]; until: number }>();
  const refresh = new Map<string, { live: Live; until: number; isUsed: boolean }>();
  const until = (seconds: number | undefined): number => (seconds === undefined ? Number.POSITIVE_INFINITY : now() + seconds * 1000);
  const newToken = (): string => randomBytes(24).toString('base64url');

  function hand(live: Live, scopes: readonly string[], refreshToken: string | undefined, seconds = accessSeconds): Issued {
    const accessToken = newToken();
    access.set(accessToken, { live, scopes, until: until(seconds) });
    return { ...live.grant, scopes, accessToken, refreshToken, expiresIn: seconds };
  }

  function newRefresh(live: Live): string {
    const token = newToken();
    refresh.set(token, { live, until: until(refreshSeconds), isUsed: false });
    return token;
  }

  return {
    /** Issues the first tokens of a grant. `seconds` overrides the access token's lifetime. */
    issue(grant: Grant, seconds?: number): Issued {
      const live: Live = { grant, isRevoked: false };
      return hand(live, grant.scopes, grant.offline ? newRefresh(live) : undefined, seconds);
    },
    /** Issues new tokens for a refresh token. Reusing a single-use token revokes the grant. */
    refresh(token: string, scopes: readonly string[] | undefined): Issued | RejectedRefresh {
      const known = refresh.get(token);
      if (!known) return 'unknown';
      const { live } = known;
      if (live.isRevoked) return 'revoked';
      if (known.isUsed) {
        live.isRevoked = true;
        return 'used';
      }
      if (known.until <= now()) return 'expired';
      known.isUsed = rotation === 'singleUse';
      return hand(live, scopes ?? live.grant.scopes, rotation === 'none' ? undefined : newRefresh(live));
    },
    /** Returns the scopes that a refresh may request. */
    scopesOf: (token: string): readonly string[] => refresh.get(token)?.live.grant.scopes ?? [],
    check(token: string | undefined): Identity | RejectedToken {
      if (token === undefined || token === '') return 'missing';
      const known = access.get(token);
      if (!known || known.live.isRevoked) return 'invalid';
      return known.until <= now() ? 'expired' : { account: known.live.grant.account, token, scopes: known.scopes };
    },
    /** Revokes the grant of a token of either kind. Returns false for an unknown token. */
    revoke(token: string): boolean {
      const live = (access.get(token) ?? refresh.get(token))?.live;
      if (!live || live.isRevoked) return false;
      live.isRevoked = true;
      return true;
    },
    revokeAll(account: Account): void {
      for (const { live } of [...access.values(), ...refresh.values()]) if (live.grant.account.id === account.id) live.isRevoked = true;
    },
    expireAll(): void {
      for (const known of access.values()) known.until = 0;
    },
    hasGrant: (account: Account): boolean =>
      [...access.values(), ...refresh.values()].some(({ live }) => !live.isRevoked && live.grant.account.id === account.id),
  };
}
