import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import { EncryptionPage } from '#/features/encryption/EncryptionPage.tsx';
import { FolderField } from '#/features/picker/FolderField.tsx';
import { late } from '#/lib/late.tsx';

const Purchase = late(
  () => import('#/features/purchase/upgrade/PremiumDialog.tsx').then(({ PremiumDialog }) => PremiumDialog),
  null,
  'overlay',
);

/** The encrypted folders, and the purchase that they require; asks who it is before something is taken away. */
export function EncryptionCategory() {
  return (
    <Reauthentication>
      <EncryptionPage Purchase={Purchase} FolderField={FolderField} />
    </Reauthentication>
  );
}
