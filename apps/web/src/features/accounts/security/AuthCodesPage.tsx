import { Button, TextInput } from '@mantine/core';
import type { AuthCode } from '@sheaf/contract';
import { IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Section } from '#/ui/Section.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { authCodeList, useCreateAuthCode, useRevokeAuthCode } from './auth-code-queries.ts';
import { Reauthentication } from './ProofDialog.tsx';
import classes from '../accounts.module.css';

/** Codes for signing in command-line clients: created, shown once, and revoked here. */
export function AuthCodesPage() {
  return (
    <Page>
      <PageHead
        title="Authentication codes"
        line="Command-line clients that may use your storage: those that you confirmed in the browser, and those with a code of yours."
      />
      <Section
        title="Create a code"
        text="For computers on which nobody can confirm a sign-in. It is shown once. Whoever has it can read and change your files."
      >
        <Reauthentication>
          <CreateCode />
        </Reauthentication>
      </Section>
      <Section title="Your codes" text="Revoke codes that you do not recognise or no longer use: their clients are signed out at once.">
        <CodeList />
      </Section>
    </Page>
  );
}

function CreateCode() {
  const [name, setName] = useState('');
  const create = useCreateAuthCode();
  return (
    <div className={classes.narrowForm} data-wide>
      <form className={classes.narrowForm} action={() => create.mutate(name.trim(), { onSuccess: () => setName('') })}>
        <TextInput
          className={classes.wide}
          label="Name"
          name="code-name"
          placeholder="Laptop"
          maxLength={100}
          autoComplete="off"
          value={name}
          error={create.error && errorText(create.error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" disabled={name.trim() === ''} loading={create.isPending}>
          Create code
        </Button>
      </form>
      {create.data && <NewCode authCode={create.data.authCode} name={create.data.code.name} />}
    </div>
  );
}

/** The new code and instructions. */
function NewCode({ authCode, name }: { authCode: string; name: string }) {
  return (
    <div className={classes.newCode} role="status">
      <p>
        The code of <b>{name}</b>. Copy it now: it will not be shown again.
      </p>
      <CopyText label="Copy the code" text={authCode} />
      <p>In a terminal on that computer:</p>
      <CopyText label="Copy the command" text={`sheaf sign-in ${location.origin}`} />
    </div>
  );
}

function CodeList() {
  const { data, error, refetch } = useQuery(authCodeList);
  const revoke = useRevokeAuthCode();
  if (error) return <ErrorState title="Your codes could not be listed" message={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={2} height={60} />;
  if (data.codes.length === 0) return <EmptyState title="There are no codes yet." />;
  return (
    <ul className={classes.sessions}>
      {data.codes.map((code) => (
        <CodeRow
          key={code.authCodeId}
          code={code}
          isBusy={revoke.isPending}
          onRevoke={() =>
            revoke.mutate(code.authCodeId, { onError: (error) => notifyError(`Cannot revoke the code. ${errorText(error)}`) })
          }
        />
      ))}
    </ul>
  );
}

const dateOf = (seconds: number): string => new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function CodeRow({ code, isBusy, onRevoke }: { code: AuthCode; isBusy: boolean; onRevoke: () => void }) {
  const { name, createdAt, lastUsedAt } = code;
  return (
    <li className={classes.session}>
      <Tile>
        <IconTerminal2 size={18} stroke={1.75} />
      </Tile>
      <span>
        <b>{name}</b>
        <small>
          Created {dateOf(createdAt)}, {lastUsedAt === undefined ? 'not used yet' : `last used ${dateOf(lastUsedAt)}`}
        </small>
      </span>
      <Button size="xs" disabled={isBusy} onClick={onRevoke} aria-label={`Revoke the code ${name}`}>
        Revoke
      </Button>
    </li>
  );
}
