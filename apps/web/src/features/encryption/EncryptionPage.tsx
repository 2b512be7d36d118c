import { Button } from '@mantine/core';
import { IconLock, IconPlus, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { encryptionList } from '#/lib/encryption.ts';
import type { FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { PathLink, useGo } from '#/ui/PathLink.tsx';
import { Switch } from '#/ui/Switch.tsx';
import { AdoptDialog } from './dialogs/AdoptDialog.tsx';
import { CryptomatorDialog } from './dialogs/CryptomatorDialog.tsx';
import { NewVaultDialog } from './dialogs/NewVaultDialog.tsx';
import { EncryptedFolderRow } from './EncryptedFolderRow.tsx';
import { useRootView } from './queries.ts';
import classes from './encryption.module.css';

const here = withQuery('/account/mysheaf', { catid: 'encryption' });
/** Address of the purchase confirmation, to which a user returns after changing the card. */
const confirming = withQuery('/account/mysheaf', { catid: 'encryption', confirmPurchase: 'true' });

export interface PurchaseProps {
  billingReturn: string;
  onDone: () => void;
  onClose: () => void;
}

type Props = { Purchase: ComponentType<PurchaseProps>; FolderField: ComponentType<FolderFieldProps> };

/** Lists the encrypted folders. `confirmPurchase=true` opens the purchase of Premium, which includes encryption. */
export function EncryptionPage({ Purchase, FolderField }: Props) {
  const { data, error, refetch, isPending } = useQuery(encryptionList);
  const { confirmPurchase } = useQueryParams();
  const rootView = useRootView();
  const go = useGo();
  const [dialog, setDialog] = useState<'new' | 'adopt' | 'cryptomator'>();
  const shut = (): void => setDialog(undefined);
  const close = (): void => go(here, { replace: true });
  const newVault = (
    <Button variant="filled" leftSection={<IconPlus size={17} stroke={1.75} />} onClick={() => setDialog('new')}>
      New vault
    </Button>
  );

  return (
    <Page>
      <PageHead title="Encryption" line="Folders whose contents only you can read.">
        {data?.isIncluded === true && (
          <div className={classes.actions}>
            <Button onClick={() => setDialog('cryptomator')}>Open a Cryptomator vault…</Button>
            <Button onClick={() => setDialog('adopt')}>Open an rclone folder…</Button>
            {data.folders.length > 0 && newVault}
          </div>
        )}
      </PageHead>
      {isPending && <SkeletonRows count={3} />}
      {error && !data && (
        <ErrorState title="Your encrypted folders cannot be shown" message={errorText(error)} onRetry={() => void refetch()} />
      )}
      {data && (
        <>
          <div className={classes.premium} data-included={data.isIncluded || undefined}>
            <IconShieldLock size={22} stroke={1.75} aria-hidden="true" />
            <p>{data.isIncluded ? 'Encryption belongs to Premium. It is included for you.' : 'Encryption belongs to Premium.'}</p>
            {!data.isIncluded && (
              <Button size="xs" variant="filled" component={PathLink} href={confirming}>
                Get Premium
              </Button>
            )}
          </div>
          {data.folders.length === 0 ? (
            <EmptyState
              icon={<IconLock size={24} stroke={1.5} />}
              title="There is no encrypted folder yet"
              actions={data.isIncluded && newVault}
            >
              A vault is a folder that your browser encrypts, names and contents, before anything reaches the storage. Your vaults are
              listed here, with the place where each of them lies.
            </EmptyState>
          ) : (
            <ul className={classes.list} aria-label="Encrypted folders">
              {data.folders.map((folder) => (
                <EncryptedFolderRow key={folder.folderOid} folder={folder} />
              ))}
            </ul>
          )}
          <p className={classes.note}>
            <PathLink href="/forum#vaults">What Sheaf can see of a vault, and what not</PathLink>. A vault is a folder of rclone’s crypt:
            rclone opens it without Sheaf, with the recovery words if it was made here, and with rclone’s own passwords otherwise.
          </p>
          <div className={classes.view}>
            <Switch label="Show Encryption among my links" checked={data.rootView} onChange={(isShown) => rootView.mutate(isShown)} />
            <p>When you browse, and when you choose a folder.</p>
          </div>
        </>
      )}
      {dialog === 'new' && <NewVaultDialog FolderField={FolderField} onClose={shut} />}
      {dialog === 'cryptomator' && <CryptomatorDialog FolderField={FolderField} onClose={shut} />}
      {dialog === 'adopt' && <AdoptDialog FolderField={FolderField} onClose={shut} />}
      {confirmPurchase === 'true' && data && (
        <Confirmation isIncluded={data.isIncluded}>
          <Purchase billingReturn={confirming} onDone={close} onClose={close} />
        </Confirmation>
      )}
    </Page>
  );
}

/** Offers the purchase unless the plan already includes encryption; stays open after the purchase to say thanks. */
function Confirmation({ isIncluded, children }: { isIncluded: boolean; children: ReactNode }) {
  const [asks] = useState(!isIncluded);
  return asks && children;
}
