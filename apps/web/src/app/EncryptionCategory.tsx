import { EncryptionPage } from '#/features/encryption/EncryptionPage.tsx';
import { FolderField } from '#/features/picker/FolderField.tsx';
import { late } from '#/lib/late.tsx';

const Purchase = late(
  () => import('#/features/purchase/upgrade/PremiumDialog.tsx').then(({ PremiumDialog }) => PremiumDialog),
  null,
  'overlay',
);

/** The encrypted folders, and the purchase that they require. */
export function EncryptionCategory() {
  return <EncryptionPage Purchase={Purchase} FolderField={FolderField} />;
}
