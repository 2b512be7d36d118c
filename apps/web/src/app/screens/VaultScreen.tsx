import { VaultPage } from '#/features/encryption/vault/VaultPage.tsx';
import { ShareTerms } from '#/features/shares/ShareTerms.tsx';

/** A vault, whose items are shared with the choices of every share. */
export function VaultScreen() {
  return <VaultPage Terms={ShareTerms} />;
}
