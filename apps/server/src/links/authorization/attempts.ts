import { hash } from 'node:crypto';
import { redirectPath } from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import type { Caller } from '#/platform/http/session.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { SecretPlace, Vault } from '#/secrets/vault.ts';
import type { Authorizable } from './authorizable.ts';
import type { Attempt, AuthorizationStore } from './store.ts';

/** Seconds a user may take at the provider. */
const attemptTime = 600;

/** Origin and targets of an authorization. */
export interface Way {
  /** The link to reauthorize. */
  readonly userLinkId?: string | undefined;
  /** Paths of Sheaf. */
  readonly redirectUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
  readonly handoffToken?: string | undefined;
  /** The organisation to link for. */
  readonly orgOid?: string | undefined;
  readonly buildsRedirect: boolean;
}

/** An attempt whose answer has arrived. */
export interface Returned extends Way {
  readonly provider: string;
  readonly verifier: string;
}

interface Deps {
  readonly store: AuthorizationStore;
  readonly vault: Vault;
  readonly publicUrl: string;
  readonly now: Clock;
}

export type Attempts = ReturnType<typeof createAttempts>;

/** Store of authorizations under way. An attempt does not survive a change of the master key without the old one. */
export function createAttempts({ store, vault, publicUrl, now }: Deps) {
  const placeOf = (stateHash: string): SecretPlace => ({ table: 'link_authorization', recordId: stateHash, field: 'secrets' });
  const redirectUri = publicUrl + redirectPath;

  return {
    /** The redirect address of all providers. */
    redirectUri,

    /** Starts an attempt; returns the provider's address to redirect the browser to. */
    async begin({ userId, sessionId }: Caller, { source, authorization, env }: Authorizable, way: Way, prompt: boolean): Promise<string> {
      const { userLinkId, redirectUrl, cancelUrl, handoffToken, orgOid, buildsRedirect } = way;
      const [state, verifier] = [newToken(), newToken()];
      const stateHash = hashToken(state);
      await store.begin({
        stateHash,
        accountId: userId,
        sessionId,
        provider: source.provider,
        userLinkId: userLinkId ?? null,
        redirectUrl: redirectUrl ?? null,
        cancelUrl: cancelUrl ?? null,
        buildsRedirect: buildsRedirect ? 1 : 0,
        sealed: vault.seal(placeOf(stateHash), JSON.stringify({ verifier, handoffToken, orgOid })),
        expiresAt: now() + attemptTime,
      });
      const challenge = hash('sha256', verifier, 'base64url');
      return authorization.authorizeUrl({ provider: source.provider, redirectUri, state, challenge, prompt }, env);
    },

    /** Takes the state's attempt; undefined unless this session has started it, it has not expired, and this is its first answer. */
    async take(caller: Caller, state: string): Promise<Returned | undefined> {
      const attempt = await store.take(hashToken(state), caller, now());
      return attempt && returned(attempt, vault.open(placeOf(attempt.stateHash), attempt.sealed));
    },
  };
}

/** Parts of an attempt that only its answer may read. */
interface Sealed {
  readonly verifier: string;
  readonly handoffToken?: string;
  readonly orgOid?: string;
}

function returned({ provider, userLinkId, redirectUrl, cancelUrl, buildsRedirect }: Attempt, secrets: string): Returned {
  // Sealed and bound to its row: only `begin` can have written it.
  const { verifier, handoffToken, orgOid } = JSON.parse(secrets) as Sealed;
  return {
    provider,
    verifier,
    handoffToken,
    orgOid,
    userLinkId: userLinkId ?? undefined,
    redirectUrl: redirectUrl ?? undefined,
    cancelUrl: cancelUrl ?? undefined,
    buildsRedirect: buildsRedirect === 1,
  };
}
