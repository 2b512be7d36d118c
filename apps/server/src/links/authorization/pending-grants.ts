import type { Grant } from '@sheaf/connectors';
import { readGrant, writeGrant } from '#/links/grants/grant.ts';
import type { Clock } from '#/platform/clock.ts';
import type { Caller } from '#/platform/http/session.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { SecretPlace, Vault } from '#/secrets/vault.ts';
import type { AuthorizationStore, ParkedRow } from './store.ts';

/** Seconds a user may take for the form that follows. */
const keptFor = 1800;

type Info = Readonly<Record<string, string>>;

/** A pending grant that was taken. */
export interface PendingGrant {
  readonly provider: string;
  readonly info: Info;
  readonly grant: Grant;
  /** Stores it again, in its current state, for another try. */
  putBack(grant: Grant): Promise<void>;
}

interface Deps {
  readonly store: AuthorizationStore;
  readonly vault: Vault;
  readonly now: Clock;
}

export type PendingGrants = ReturnType<typeof createPendingGrants>;

/** Store of pending grants. */
export function createPendingGrants({ store, vault, now }: Deps) {
  const placeOf = (stateIdHash: string): SecretPlace => ({ table: 'parked_grant', recordId: stateIdHash, field: 'grant' });
  const sealed = (stateIdHash: string, grant: Grant): string => vault.seal(placeOf(stateIdHash), writeGrant(grant));

  return {
    /** Stores the grant; returns the stateId by which the same session takes it, for the user or for the same organisation. */
    async park({ userId, sessionId }: Caller, orgOid: string | undefined, provider: string, info: Info, grant: Grant): Promise<string> {
      const stateId = newToken();
      const stateIdHash = keyOf(stateId, orgOid);
      await store.park({
        stateIdHash,
        accountId: userId,
        sessionId,
        provider,
        info: JSON.stringify(info),
        sealed: sealed(stateIdHash, grant),
        expiresAt: now() + keptFor,
      });
      return stateId;
    },

    /**
     * Undefined unless this session has stored it, for the same organisation, it has not expired, and nobody has taken it. A crash before it is
     * stored again loses only the attempt.
     */
    async take(caller: Caller, orgOid: string | undefined, stateId: string): Promise<PendingGrant | undefined> {
      const row = await store.takeParked(keyOf(stateId, orgOid), caller, now());
      if (!row) return undefined;
      const { stateIdHash, provider } = row;
      return {
        provider,
        info: infoOf(row),
        grant: readGrant(vault.open(placeOf(stateIdHash), row.sealed)),
        putBack: (grant) => store.park({ ...row, sealed: sealed(stateIdHash, grant) }),
      };
    },
  };
}

/** A grant for an organisation is found only with that organisation. */
const keyOf = (stateId: string, orgOid = ''): string => hashToken(orgOid === '' ? stateId : `${stateId} ${orgOid}`);

/** Written by `park`. */
const infoOf = ({ info }: ParkedRow): Info => JSON.parse(info) as Info;
