import type { Grant } from '../../core/authorization.ts';
import type { Tokens } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { unlessAborted } from '../concurrency/unless-aborted.ts';

interface Options {
  /** The grant as it is stored now. */
  readonly load: () => Promise<Grant>;
  /** Stores and gives a newer grant in place of the one given; rejects with `needsAuthorization` when there is none to be had. */
  readonly renew: (grant: Grant, signal: AbortSignal) => Promise<Grant>;
  /** Epoch ms. */
  readonly now?: () => number;
}

/** ms before its end in which a token is not used any more, so that none expires on its way. */
const early = 120_000;
/** ms before its end in which it is not used even when no other is to be had. */
const late = 10_000;
/** ms for a renewal, which is never given up half-way: a refresh token that serves once would be lost. */
const patience = 30_000;

/** Gives access tokens and renews them before they expire, once for however many ask at the same moment. */
export function createTokens({ load, renew, now = Date.now }: Options): Tokens {
  let held: Grant | undefined;
  let renewing: Promise<Grant> | undefined;
  const isFresh = ({ expiresAt }: Grant): boolean => expiresAt === undefined || expiresAt - early > now();

  async function renewed(refused: string | undefined): Promise<Grant> {
    const stored = await load();
    if (isFresh(stored) && stored.accessToken !== refused) return (held = stored);
    try {
      return (held = await renew(stored, AbortSignal.timeout(patience)));
    } catch (error) {
      // It is early: while the service cannot be asked, the token goes on as long as it is good.
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
