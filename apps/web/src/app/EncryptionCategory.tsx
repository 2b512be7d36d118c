import { Suspense, lazy } from 'react';
import { EncryptionPage, type PurchaseProps } from '#/features/encryption/EncryptionPage.tsx';
import { loadChunk } from '#/lib/load-chunk.ts';

const Loaded = lazy(() =>
  loadChunk(() => import('#/features/purchase/PremiumDialog.tsx')).then(({ PremiumDialog }) => ({ default: PremiumDialog })),
);

function Purchase(props: PurchaseProps) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}

/** The encrypted folders, with the purchase that they need. */
export function EncryptionCategory() {
  return <EncryptionPage Purchase={Purchase} />;
}
