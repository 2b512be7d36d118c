import type { Dialer, FindDefinition, Grant } from '@sheaf/connectors';
import { type Source, findSource } from '@sheaf/contract';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import type { AppOf } from './apps.ts';
import type { GrantStore } from './grant-store.ts';
import { grantField, readGrant } from './grant.ts';

/** ms for a provider to take a grant back. */
const patience = 15_000;

interface Deps {
  readonly store: GrantStore;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  /** Runs what nobody waits for, and tells when it fails. */
  readonly later: (name: string, task: () => Promise<void>) => void;
}

export type Revoking = ReturnType<typeof createRevoking>;

/** Makes grants worthless that Sheaf needs no more. Nobody waits for it, and its failure harms nothing: the grant is forgotten here in any case. */
export function createRevoking({ store, vault, dialer, findDefinition, appOf, later }: Deps) {
  /** Spares an owner that any link still lives on: Google and others take back at once all that an account has granted to an application. */
  async function revoke(source: Source, owner: string, read: () => Grant): Promise<void> {
    const app = appOf(source);
    const { authorization } = (await findDefinition(source)) ?? {};
    if (!app || !authorization?.revoke || (await store.isInUse(owner))) return;
    await authorization.revoke(read(), source.provider, { dialer, app }, AbortSignal.timeout(patience));
  }
  const task = 'taking a grant back';

  return {
    /** For a grant that no link was made of. */
    discard: (source: Source, owner: string, grant: Grant): void => later(task, () => revoke(source, owner, () => grant)),

    /** Reads what the link lives on, to be called before it is removed; the function given is called after. */
    async prepare(linkId: string, provider: string): Promise<() => void> {
      const [sealed, owner] = [await store.sealedOf(linkId), await store.ownerOf(linkId)];
      const source = findSource(provider);
      if (sealed === undefined || owner === undefined || !source) return () => undefined;
      return () => later(task, () => revoke(source, owner, () => readGrant(vault.open(secretPlace(linkId, grantField), sealed))));
    },
  };
}
