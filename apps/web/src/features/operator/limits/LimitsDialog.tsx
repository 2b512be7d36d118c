import { TextInput } from '@mantine/core';
import type { LimitedAccount } from '@sheaf/contract';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog } from '#/ui/dialog/Dialog.tsx';
import { LimitsForm } from './LimitsForm.tsx';
import { limitable } from './queries.ts';
import classes from './limits.module.css';

/** The limits of one account; without one, the dialog begins with a search for it. */
export function LimitsDialog({ account, onClose }: { account: LimitedAccount | undefined; onClose: () => void }) {
  const [found, setFound] = useState<LimitedAccount>();
  const chosen = account ?? found;
  return (
    <Dialog title={chosen ? `Limits of ${chosen.name}` : 'Limits of whom?'} onClose={onClose}>
      <div className={classes.dialog}>
        {chosen ? (
          <LimitsForm accountId={chosen.accountId} limits={chosen.limits} empty="As everyone" onSaved={onClose} />
        ) : (
          <AccountSearch onChoose={setFound} />
        )}
      </div>
    </Dialog>
  );
}

function AccountSearch({ onChoose }: { onChoose: (account: LimitedAccount) => void }) {
  const [typed, setTyped] = useState('');
  const query = useDeferredValue(typed.trim());
  const { data, error } = useQuery(limitable(query));
  return (
    <div className={classes.form}>
      <TextInput
        type="search"
        data-autofocus
        label="Person or organisation"
        placeholder="Name or e-mail address"
        leftSection={<IconSearch size={16} stroke={1.75} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error && (
        <p role="alert" className={classes.bad}>
          {errorText(error)}
        </p>
      )}
      {data && data.accounts.length === 0 && <p className={classes.facts}>Nobody found.</p>}
      <ul className={classes.found}>
        {data?.accounts.map((account) => (
          <li key={account.accountId}>
            <button type="button" onClick={() => onChoose(account)}>
              <b>{account.name}</b>
              <small>{account.email ?? 'Organisation and its members'}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
