import { Button } from '@mantine/core';
import type { AppPassword } from '@sheaf/contract';
import { IconDeviceLaptop, IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import type { FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { NewKeyCard } from './NewKeyCard.tsx';
import { NewKeyDialog } from './NewKeyDialog.tsx';
import { NewPasswordDialog } from './NewPasswordDialog.tsx';
import { NewSecretsCard } from './NewSecretsCard.tsx';
import { type NewSecrets, appPasswordList, usePlaceWords, useRevokeAppPassword } from './queries.ts';
import { endWords, hasEnded, keyWords, rightsWords, usedWords } from './words.ts';
import classes from './programs.module.css';

/** All app passwords and SSH keys of the account. */
export function AppPasswordsPage({ FolderField }: { FolderField: ComponentType<FolderFieldProps> }) {
  const [open, setOpen] = useState<'password' | 'key'>();
  const [made, setMade] = useState<NewSecrets>();
  const [added, setAdded] = useState<AppPassword>();
  const sftp = useQuery(appPasswordList).data?.sftp;
  const close = (): void => setOpen(undefined);
  return (
    <Reauthentication>
      <Page>
        <PageHead title="App passwords" line="One for each program or device. None of them can sign in to your account.">
          <div className={classes.actions}>
            {sftp && (
              <Button leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => setOpen('key')}>
                Add SSH key
              </Button>
            )}
            <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setOpen('password')}>
              New app password
            </Button>
          </div>
        </PageHead>
        {made && <NewSecretsCard made={made} onStored={() => setMade(undefined)} />}
        {added && sftp && <NewKeyCard added={added} sftp={sftp} onDone={() => setAdded(undefined)} />}
        <PasswordList />
        {open === 'password' && (
          <NewPasswordDialog
            FolderField={FolderField}
            onClose={close}
            onCreated={(created) => {
              setMade(created);
              close();
            }}
          />
        )}
        {open === 'key' && (
          <NewKeyDialog
            FolderField={FolderField}
            onClose={close}
            onAdded={(key) => {
              setAdded(key);
              close();
            }}
          />
        )}
      </Page>
    </Reauthentication>
  );
}

function PasswordList() {
  const { data, error, refetch } = useQuery(appPasswordList);
  const revoke = useRevokeAppPassword();
  const placeWords = usePlaceWords();
  if (error) return <ErrorState title="Your app passwords could not be listed" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={3} height={60} />;
  if (data.appPasswords.length === 0)
    return <EmptyState title="There are no app passwords yet.">Open “Connect” in the menu of a link to see what they are for.</EmptyState>;
  return (
    <>
      <ul className={classes.list}>
        {data.appPasswords.map((password) => (
          <PasswordRow
            key={password.appPasswordId}
            password={password}
            places={placeWords(password)}
            isBusy={revoke.isPending}
            onRevoke={() => revoke.mutate(password.appPasswordId)}
          />
        ))}
      </ul>
      <p className={classes.hint}>Revoking takes effect everywhere at once and stops what is under way.</p>
    </>
  );
}

type RowProps = { password: AppPassword; places: string; isBusy: boolean; onRevoke: () => void };

function PasswordRow({ password, places, isBusy, onRevoke }: RowProps) {
  const [now] = useState(() => Date.now() / 1000);
  const isOver = hasEnded(password, now);
  return (
    <li className={classes.row} data-ended={isOver || undefined}>
      <Tile>{password.sshKey ? <IconKey size={18} stroke={1.75} /> : <IconDeviceLaptop size={18} stroke={1.75} />}</Tile>
      <span>
        <b>{password.name}</b>
        <small>{password.username}</small>
        {password.sshKey && <small>{keyWords(password)}</small>}
      </span>
      <span>
        {places}
        <small>{rightsWords(password)}</small>
      </span>
      <small>
        {endWords(password, now)}, {usedWords(password)}
      </small>
      <Button size="xs" disabled={isBusy} onClick={onRevoke} aria-label={`${isOver ? 'Remove' : 'Revoke'} ${password.name}`}>
        {isOver ? 'Remove' : 'Revoke'}
      </Button>
    </li>
  );
}
