import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { useRoute } from '#/lib/navigation/route.ts';
import type { ShareTermsProps } from '#/lib/sharing/share-terms.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page } from '#/ui/PageHead.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import { useMinutesLeft } from '../crypt/state.ts';
import { CryptomatorPage } from '../cryptomator/CryptomatorPage.tsx';
import { LockedVault } from './LockedVault.tsx';
import { OpenVault } from './OpenVault.tsx';
import classes from '../shown/vault.module.css';

/** Shows a vault, locked or open. `folder` in the address is the encrypted path: no clear name enters an address or the browser's history. */
export function VaultPage({ Terms }: { Terms: ComponentType<ShareTermsProps> }) {
  const vaultId = useRoute()?.params['vaultId'] ?? '';
  return vaultId === 'cryptomator' ? <CryptomatorPage /> : <OwnVault vaultId={vaultId} Terms={Terms} />;
}

function OwnVault({ vaultId, Terms }: { vaultId: string; Terms: ComponentType<ShareTermsProps> }) {
  const { folder: linkUri } = useQueryParams();
  const minutes = useMinutesLeft(vaultId);
  const { data, error, isPending, refetch } = useQuery(encryptionList);
  const folder = data?.folders.find(({ folderOid }) => folderOid === vaultId);
  if (folder && minutes !== undefined) {
    const isInside = linkUri !== undefined && linkUri.startsWith(`${folder.linkUri}/`);
    return <OpenVault folder={folder} linkUri={isInside ? linkUri : folder.linkUri} minutes={minutes} Terms={Terms} />;
  }
  return (
    <Page>
      <nav aria-label="Path" className={classes.path}>
        <PathLink href="/account/mysheaf?catid=encryption">Encryption</PathLink>
      </nav>
      {isPending && <SkeletonRows count={3} />}
      {error && !data && <ErrorState title="The vault cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {data && !folder && (
        <EmptyState level={1} title="This vault is not in your list">
          It may have been removed from it, or its link was unlinked. Its files stay where they are.
        </EmptyState>
      )}
      {folder && <LockedVault folder={folder} />}
    </Page>
  );
}
