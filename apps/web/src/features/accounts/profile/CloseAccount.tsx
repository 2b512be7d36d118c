import { Button, PasswordInput, TextInput } from '@mantine/core';
import type { Closing } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateOf } from '#/features/accounts/dates.ts';
import { closingPreview, useCloseAccount } from '#/features/accounts/security/security-queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { visitorSignInAddress } from '#/lib/session/sign-in-address.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { DialogWait } from '#/ui/dialog/DialogWait.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { PathLink } from '#/ui/PathLink.tsx';
import classes from '../profile.module.css';

/** Closes the account. */
export function CloseAccount({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Close account...
      </Button>
      {isOpen && <CloseDialog email={email} onClose={() => setOpen(false)} />}
    </>
  );
}

function CloseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { data, error } = useQuery(closingPreview);
  return (
    <Dialog title="Close account" sentence="Your files stay where they are. Sheaf forgets the rest." onClose={onClose}>
      {!data && <DialogWait failure={error ? errorText(error) : ''} rows={4} height={28} />}
      {data && data.organisations.length > 0 && <Owner closing={data} onClose={onClose} />}
      {data?.organisations.length === 0 && <CloseForm closing={data} email={email} onClose={onClose} />}
    </Dialog>
  );
}

/** Shown for owners of organisations: others depend on these. */
function Owner({ closing: { organisations }, onClose }: { closing: Closing; onClose: () => void }) {
  return (
    <>
      <DialogFields>
        <p>You own what other people use. Hand it over or close it first:</p>
        <ul className={classes.lost}>
          {organisations.map(({ orgOid, name }) => (
            <li key={orgOid}>
              <PathLink href={`/org/members?orgOid=${orgOid}`}>{name}</PathLink>
            </li>
          ))}
        </ul>
      </DialogFields>
      <DialogButtons>
        <Button onClick={onClose} data-autofocus>
          Back
        </Button>
      </DialogButtons>
    </>
  );
}

function CloseForm({ closing, email, onClose }: { closing: Closing; email: string; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const close = useCloseAccount();
  const ready = typed.trim().toLowerCase() === email.toLowerCase() && (password !== '' || !closing.hasPassword);
  const submit = (): void => {
    if (!ready || close.isPending) return;
    const farewell = { email: typed.trim(), ...(closing.hasPassword && { password }) };
    // Loads a new page, so that nothing of the account stays in memory.
    close.mutate(farewell, { onSuccess: ({ closesAt }) => location.assign(`${visitorSignInAddress('/', 'account')}#closed=${closesAt}`) });
  };
  return (
    <form action={submit}>
      <DialogFields>
        <div>
          <p>This ends after {closing.days} days:</p>
          <ul className={classes.lost}>
            {lossesOf(closing).map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </div>
        <p className={classes.hint}>
          You are signed out everywhere and public links stop at once. Sign in within {closing.days} days to keep the account.
        </p>
        <TextInput
          label="Your e-mail address"
          name="close-email"
          autoComplete="off"
          placeholder={email}
          data-autofocus
          required
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            close.reset();
          }}
        />
        {closing.hasPassword && (
          <PasswordInput
            label="Password"
            name="close-password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              close.reset();
            }}
          />
        )}
      </DialogFields>
      {close.error && (
        <Notice kind="error" inDialog>
          {errorText(close.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button onClick={onClose} disabled={close.isPending}>
          Keep my account
        </Button>
        <Button type="submit" variant="danger" disabled={!ready} loading={close.isPending}>
          Close account
        </Button>
      </DialogButtons>
    </form>
  );
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** What would be lost, in plain words. */
function lossesOf({ links, shares, spaces, subscriptions }: Closing): string[] {
  return [
    ...(links === 0 ? [] : [`${counted(links, 'link', 'links')} with all that is needed to open ${links === 1 ? 'it' : 'them'}`]),
    ...(shares === 0 ? [] : [counted(shares, 'public link', 'public links')]),
    ...spaces.map(
      ({ name, members }) =>
        `the Space ${name}${members === 0 ? '' : `, which ${counted(members, 'other member uses', 'other members use')}`}`,
    ),
    ...subscriptions.map(({ name, endsAt }) => `${name}, paid for until ${dateOf(endsAt)}; it is not renewed from now on`),
    'your profile, settings and activity',
  ];
}
