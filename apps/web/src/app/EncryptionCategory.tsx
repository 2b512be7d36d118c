import { EncryptionPage } from '#/features/encryption/EncryptionPage.tsx';
import { late } from '#/lib/late.tsx';

const Purchase = late(
  () => import('#/features/purchase/upgrade/PremiumDialog.tsx').then(({ PremiumDialog }) => PremiumDialog),
  null,
  'overlay',
);

/** The encrypted folders, with the purchase that they need. */
export function EncryptionCategory() {
  return <EncryptionPage Purchase={Purchase} />;
}
