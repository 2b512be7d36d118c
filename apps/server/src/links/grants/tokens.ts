import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Authorization,
  type AuthorizationEnv,
  ConnectorError,
  type Grant,
  type Tokens,
  createTokens,
  deadlines,
} from '@sheaf/connectors';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import type { GrantStore } from './grant-store.ts';
import { grantField, readGrant, writeGrant } from './grant.ts';

/** Milliseconds after which another instance may take over a renewal: longer than one can take, with room for differing clocks. */
const leaseMilliseconds = 20_000;
/** Milliseconds between two checks whether another instance has finished a renewal. */
const lookEvery = 100;

interface Deps {
  readonly store: GrantStore;
  readonly vault: Vault;
  /** Lease of a renewal in milliseconds. */
  readonly leaseMilliseconds?: number;
}

/** The grant's owner, and how it is renewed. */
export interface Granted {
  readonly linkId: string;
  readonly provider: string;
  readonly authorization: Authorization;
  readonly env: AuthorizationEnv;
}

interface Stored {
  readonly grant: Grant;
  readonly sealed: string;
}

export type LinkTokens = ReturnType<typeof createLinkTokens>;

/**
 * Access tokens of links. A grant is renewed by one instance at a time, which holds a lease, and stored before its access token is used; the others
 * wait for the stored grant. One loss cannot be prevented: when the process dies between the provider's answer and storing it, and refresh tokens
 * work once, the user has to reauthorize.
 */
export function createLinkTokens({ store, vault, leaseMilliseconds: lease = leaseMilliseconds }: Deps) {
  async function load(linkId: string): Promise<Stored> {
    const sealed = await store.sealedOf(linkId);
    if (sealed === undefined) throw new ConnectorError('needsAuthorization', 'the link has no grant');
    return { sealed, grant: readGrant(vault.open(secretPlace(linkId, grantField), sealed)) };
  }

  /** Stores a renewed grant; returns the valid one. A different stored text may be the same grant, sealed with another master key. */
  async function put(linkId: string, before: Stored, renewed: Grant): Promise<Grant> {
    const sealed = vault.seal(secretPlace(linkId, grantField), writeGrant(renewed));
    if (await store.replace(linkId, before.sealed, sealed)) return renewed;
    const present = await load(linkId);
    return isSame(present.grant, before.grant) ? put(linkId, present, renewed) : present.grant;
  }

  async function renew(granted: Granted, outdated: Grant, signal: AbortSignal): Promise<Grant> {
    const { linkId, provider, authorization, env } = granted;
    const renewer = randomUUID();
    for (;;) {
      const isMine = await store.takeLease(linkId, renewer, Date.now(), Date.now() + lease);
      try {
        const stored = await load(linkId);
        if (!isSame(stored.grant, outdated)) return stored.grant;
        if (isMine) return await put(linkId, stored, await renewGrant(authorization, stored.grant, provider, env, signal));
      } finally {
        if (isMine) await store.endLease(linkId, renewer);
      }
      await sleep(lookEvery);
      if (signal.aborted) throw new ConnectorError('timeout', 'somebody else has not finished renewing the grant', { retryable: true });
    }
  }

  return {
    of: (granted: Granted): Tokens =>
      createTokens({
        load: async () => (await load(granted.linkId)).grant,
        renew: (outdated, signal) => renew(granted, outdated, signal),
      }),
  };
}

/** Tokens of a grant that does not belong to a stored link yet. `current` returns its latest state for storing. */
export function unsavedTokens(
  grant: Grant,
  { provider, authorization, env }: Omit<Granted, 'linkId'>,
): { tokens: Tokens; current(): Grant } {
  let current = grant;
  const tokens = createTokens({
    load: async () => current,
    async renew(outdated, signal) {
      current = await renewGrant(authorization, outdated, provider, env, signal);
      return current;
    },
  });
  return { tokens, current: () => current };
}

async function renewGrant({ renew }: Authorization, grant: Grant, provider: string, env: AuthorizationEnv, signal: AbortSignal) {
  if (!renew) throw new ConnectorError('needsAuthorization', 'the grant has ended and cannot be renewed');
  const deadline = AbortSignal.timeout(deadlines.aside);
  try {
    return await renew(grant, provider, env, AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new ConnectorError('timeout', `the provider did not renew the grant within ${deadlines.aside} ms`, {
      cause: error,
      retryable: true,
    });
  }
}

const isSame = (a: Grant, b: Grant): boolean => a.accessToken === b.accessToken && a.refreshToken === b.refreshToken;
