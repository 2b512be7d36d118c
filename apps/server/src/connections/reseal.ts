import type { ConnectionStore } from './store.ts';
import type { SecretPlace, Vault } from './vault.ts';

const pageSize = 100;

/** Where a link's secret is sealed for. */
export const secretPlace = (linkId: string, field: string): SecretPlace => ({ table: 'link_secret', recordId: linkId, field });

/** Seals everything that an older key has sealed with the newest one; may run while the program serves. Gives the number of secrets sealed anew. */
export async function resealSecrets(store: ConnectionStore, vault: Vault): Promise<number> {
  let changed = 0;
  let last = { linkId: '', field: '' };
  for (;;) {
    const page = await store.secretsAfter(last.linkId, last.field, pageSize);
    for (const secret of page) {
      last = secret;
      if (vault.isCurrent(secret.sealed)) continue;
      const place = secretPlace(secret.linkId, secret.field);
      await store.replaceSealed(secret, vault.seal(place, vault.open(place, secret.sealed)));
      changed++;
    }
    if (page.length < pageSize) return changed;
  }
}
