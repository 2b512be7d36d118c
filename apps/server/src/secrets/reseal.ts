import { AppError } from '@sheaf/contract';
import type { SecretPlace, Vault } from './vault.ts';

const pageSize = 100;

/** The place that a link's secret is bound to. */
export const secretPlace = (linkId: string, field: string): SecretPlace => ({ table: 'link_secret', recordId: linkId, field });

interface SealedSecret {
  readonly linkId: string;
  readonly field: string;
  readonly sealed: string;
}
/** Store of links' secrets, as resealing reads and replaces them. */
interface SealedSecrets {
  /** The next secrets after this one, ordered by link and field. */
  secretsAfter(linkId: string, field: string, limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces the sealed text, unless another secret was saved since it was read. */
  replaceSealed(secret: SealedSecret, replacement: string): Promise<void>;
}

/** Numbers of secrets that were resealed, and that none of the vault's keys opens. */
export interface Resealed {
  readonly sealed: number;
  readonly unreadable: number;
}

/** The text sealed with the newest key; undefined when no key opens it: the user has to enter the secret again. */
export function sealAnew(vault: Vault, place: SecretPlace, sealed: string): string | undefined {
  try {
    return vault.seal(place, vault.open(place, sealed));
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Reseals everything sealed with an older key; may run while the program serves. What no key opens stays unchanged. */
export async function resealSecrets(store: SealedSecrets, vault: Vault): Promise<Resealed> {
  let [sealed, unreadable] = [0, 0];
  let last = { linkId: '', field: '' };
  for (;;) {
    const page = await store.secretsAfter(last.linkId, last.field, pageSize);
    for (const secret of page) {
      last = secret;
      if (vault.isCurrent(secret.sealed)) continue;
      const anew = sealAnew(vault, secretPlace(secret.linkId, secret.field), secret.sealed);
      if (anew === undefined) unreadable++;
      else {
        await store.replaceSealed(secret, anew);
        sealed++;
      }
    }
    if (page.length < pageSize) return { sealed, unreadable };
  }
}
