import { type Dialer, type FindDefinition, type Grant, deadlines } from '@sheaf/connectors';
import { type Source, findSource } from '@sheaf/contract';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import type { AppOf } from './apps.ts';
import type { GrantStore } from './grant-store.ts';
import { grantField, readGrant } from './grant.ts';

interface Deps {
  readonly store: GrantStore;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  /** Runs a background task and logs its failure. */
  readonly later: (name: string, task: () => Promise<void>) => void;
}

export type Revoking = ReturnType<typeof createRevoking>;

/** Revokes grants that Sheaf no longer needs, in the background. A failure does no harm: the grant is deleted here anyway. */
export function createRevoking({ store, vault, dialer, findDefinition, appOf, later }: Deps) {
  /** Skips an owner whose grants other links use: Google and others revoke everything that an account has granted to an application. */
  async function revoke(source: Source, owner: string, read: () => Grant): Promise<void> {
    const app = appOf(source);
    const { authorization } = (await findDefinition(source)) ?? {};
    if (!app || !authorization?.revoke || (await store.isInUse(owner))) return;
    await authorization.revoke(read(), source.provider, { dialer, app }, AbortSignal.timeout(deadlines.aside));
  }
  const task = 'taking a grant back';

  return {
    /** For a grant that no link was made of. */
    discard: (source: Source, owner: string, grant: Grant): void => later(task, () => revoke(source, owner, () => grant)),

    /** Reads the link's grant before the link is removed; the returned function revokes it afterwards. */
    async prepare(linkId: string, provider: string): Promise<() => void> {
      const [sealed, owner] = [await store.sealedOf(linkId), await store.ownerOf(linkId)];
      const source = findSource(provider);
      if (sealed === undefined || owner === undefined || !source) return () => undefined;
      return () => later(task, () => revoke(source, owner, () => readGrant(vault.open(secretPlace(linkId, grantField), sealed))));
    },
  };
}
