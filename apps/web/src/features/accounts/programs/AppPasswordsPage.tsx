import { Button } from '@mantine/core';
import type { AppPassword } from '@sheaf/contract';
import { IconDeviceLaptop, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Reauthentication } from '#/features/accounts/security/ProofDialog.tsx';
import type { FolderFieldProps } from '#/lib/files/folder-choice.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { NewPasswordDialog } from './NewPasswordDialog.tsx';
import { NewSecretsCard } from './NewSecretsCard.tsx';
import { type NewSecrets, appPasswordList, usePlaceWords, useRevokeAppPassword } from './queries.ts';
import { endWords, hasEnded, rightsWords, usedWords } from './words.ts';
import classes from './programs.module.css';

/** All app passwords of the account. */
export function AppPasswordsPage({ FolderField }: { FolderField: ComponentType<FolderFieldProps> }) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<NewSecrets>();
  return (
    <Reauthentication>
      <Page>
        <PageHead title="App passwords" line="One for each program or device. None of them can sign in to your account.">
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setOpen(true)}>
            New app password
          </Button>
        </PageHead>
        {made && <NewSecretsCard made={made} onStored={() => setMade(undefined)} />}
        <PasswordList />
        {isOpen && (
          <NewPasswordDialog
            FolderField={FolderField}
            onClose={() => setOpen(false)}
            onCreated={(created) => {
              setMade(created);
              setOpen(false);
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
      <Tile>
        <IconDeviceLaptop size={18} stroke={1.75} />
      </Tile>
      <span>
        <b>{password.name}</b>
        <small>{password.username}</small>
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
