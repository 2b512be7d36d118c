import { Button } from '@mantine/core';
import type { LimitedAccount } from '@sheaf/contract';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { SkeletonRows } from '#/ui/feedback/Skeleton.tsx';
import { ErrorState } from '#/ui/feedback/StatePanel.tsx';
import { ItemMenu } from '#/ui/menu/ItemMenu.tsx';
import { Menu } from '#/ui/menu/Menu.tsx';
import { Page, PageHead } from '#/ui/PageHead.tsx';
import { Section } from '#/ui/Section.tsx';
import { wordsOf } from './limit-fields.ts';
import { LimitsDialog } from './LimitsDialog.tsx';
import { LimitsForm } from './LimitsForm.tsx';
import { limitRules, useSetLimits } from './queries.ts';
import classes from './limits.module.css';

/** For the operator: the limits of everyone, and of accounts with limits of their own. */
export function LimitsPage() {
  const { data, error, refetch } = useQuery(limitRules());
  const [editing, setEditing] = useState<LimitedAccount | 'new'>();
  return (
    <Page>
      <PageHead title="Limits" line="What is over a limit already stays; nothing can be added to it." />
      {error && <ErrorState title="The limits could not be shown" message={errorText(error)} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={4} height={64} />}
      {data && (
        <>
          <Section title="Everyone" text="For each account without limits of its own. An empty field leaves what it says in grey.">
            <LimitsForm key={JSON.stringify(data.everyone)} limits={data.everyone} />
          </Section>
          <Section
            title="Exceptions"
            text="A person's own limits go before those of their organisations, and these before everyone's. An organisation's limits go for its links and for each of its members."
          >
            {data.accounts.length === 0 && <p className={classes.facts}>Nobody has limits of their own.</p>}
            <ul className={classes.list}>
              {data.accounts.map((account) => (
                <ExceptionRow key={account.accountId} account={account} onEdit={() => setEditing(account)} />
              ))}
            </ul>
            <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setEditing('new')}>
              Add an exception
            </Button>
          </Section>
        </>
      )}
      {editing !== undefined && <LimitsDialog account={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </Page>
  );
}

function ExceptionRow({ account, onEdit }: { account: LimitedAccount; onEdit: () => void }) {
  const { accountId, name, email, limits } = account;
  const save = useSetLimits();
  const remove = () =>
    save.mutate(
      { accountId, limits: {} },
      { onSuccess: () => notifyDone(`${name} has everyone's limits.`), onError: (error) => notifyError(errorText(error)) },
    );
  return (
    <li className={classes.row}>
      <span>
        <b>{name}</b>
        <small>{email ?? 'Organisation and its members'}</small>
        <small>{wordsOf(limits)}</small>
      </span>
      <ItemMenu of={name} disabled={save.isPending}>
        <Menu.Item onClick={onEdit}>Change limits</Menu.Item>
        <Menu.Item onClick={remove}>Remove exception</Menu.Item>
      </ItemMenu>
    </li>
  );
}
