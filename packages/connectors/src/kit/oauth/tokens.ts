import type { Grant } from '../../core/authorization.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Tokens } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { unlessAborted } from '../concurrency/unless-aborted.ts';

interface Options {
  /** Loads the stored grant. */
  readonly load: () => Promise<Grant>;
  /** Stores and returns a newer grant than the given one; rejects with `needsAuthorization` when there is none. */
  readonly renew: (grant: Grant, signal: AbortSignal) => Promise<Grant>;
  /** Epoch ms. */
  readonly now?: () => number;
}

/** Milliseconds before expiry from which a token is renewed, so that none expires in flight. */
const early = 120_000;
/** Milliseconds before expiry from which a token is not used even if no other is available. */
const late = 10_000;

/** Supplies access tokens and renews them before they expire, once for all concurrent callers. */
export function createTokens({ load, renew, now = Date.now }: Options): Tokens {
  let held: Grant | undefined;
  let renewing: Promise<Grant> | undefined;
  const isFresh = ({ expiresAt }: Grant): boolean => expiresAt === undefined || expiresAt - early > now();

  async function renewed(refused: string | undefined): Promise<Grant> {
    const stored = await load();
    if (isFresh(stored) && stored.accessToken !== refused) return (held = stored);
    try {
      return (held = await renew(stored, AbortSignal.timeout(deadlines.login)));
    } catch (error) {
      // Renewal starts early: while the service is unavailable, the token is used as long as it is valid.
      const isGood = stored.accessToken !== refused && (stored.expiresAt ?? 0) - late > now();
      if (isGood && error instanceof ConnectorError && error.retryable) return stored;
      throw error;
    }
  }

  return {
    async access(signal, refused) {
      if (held && isFresh(held) && held.accessToken !== refused) return held.accessToken;
      renewing ??= renewed(refused).finally(() => {
        renewing = undefined;
      });
      const grant = await unlessAborted(renewing, signal);
      return grant.accessToken;
    },
  };
}
