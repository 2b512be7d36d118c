import { type Person, closingDays } from '@sheaf/contract';
import { errorText } from '#/lib/http/error-text.ts';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { useClosePerson, useKeepPerson, useRemoveFactor, useSetDisabled, useSetOperator, useSignOutPerson } from './people-queries.ts';

export type PersonAct = 'disable' | 'enable' | 'signOut' | 'removeFactor' | 'makeOperator' | 'removeOperator' | 'close' | 'keep';

const told = 'A mail says so.';
const texts: Readonly<Record<PersonAct, { title: string; text: string; confirm: string; done: string }>> = {
  disable: {
    title: 'Disable {name}?',
    text: `{email} is signed out everywhere, downloads and transfers end, and public links stop working, until you enable the account again. ${told}`,
    confirm: 'Disable',
    done: '{name} is disabled.',
  },
  enable: { title: 'Enable {name}?', text: `{email} can sign in again. ${told}`, confirm: 'Enable', done: '{name} is enabled.' },
  signOut: {
    title: 'Sign {name} out everywhere?',
    text: `Sessions end, and authentication codes and app passwords are revoked. ${told}`,
    confirm: 'Sign out',
    done: '{name} is signed out.',
  },
  removeFactor: {
    title: 'Remove the second factor of {name}?',
    text: `The authenticator app, the passkeys and the recovery codes end; the password alone signs in. Make sure that {name} asked for it. ${told}`,
    confirm: 'Remove',
    done: 'The second factor of {name} is removed.',
  },
  makeOperator: {
    title: 'Make {name} an operator?',
    text: `Operators manage people and settings, and can make others operators. They see no files of others. ${told}`,
    confirm: 'Make operator',
    done: '{name} is an operator.',
  },
  removeOperator: {
    title: 'Take operator rights from {name}?',
    text: `An address that SHEAF_OPERATORS names stays an operator until the setting changes. ${told}`,
    confirm: 'Take away',
    done: '{name} has no operator rights of its own any more.',
  },
  close: {
    title: 'Delete the account of {name}?',
    text: `It ends in ${closingDays} days, with its links, shares and Spaces. Files stay in their storage. {email} can keep it until then by signing in, unless the account is disabled. ${told}`,
    confirm: 'Delete',
    done: 'The account of {name} will be deleted.',
  },
  keep: { title: 'Keep the account of {name}?', text: `It is not deleted. ${told}`, confirm: 'Keep', done: '{name} stays.' },
};

/** Asks before an operator changes somebody's account, and does it. */
export function PersonDialog({ person, act, onClose }: { person: Person; act: PersonAct; onClose: () => void }) {
  const { personId, name, email } = person;
  const [disable, operator, signOut, removeFactor, close, keep] = [
    useSetDisabled(),
    useSetOperator(),
    useSignOutPerson(),
    useRemoveFactor(),
    useClosePerson(),
    useKeepPerson(),
  ];
  const { title, text, confirm, done } = texts[act];
  const filled = (template: string): string => template.replaceAll('{name}', name).replaceAll('{email}', email);
  const callbacks = {
    onSuccess: () => notifyDone(filled(done)),
    onError: (error: Error) => notifyError(errorText(error)),
    onSettled: onClose,
  };
  const run: Readonly<Record<PersonAct, () => void>> = {
    disable: () => disable.mutate({ personId, isOn: true }, callbacks),
    enable: () => disable.mutate({ personId, isOn: false }, callbacks),
    signOut: () => signOut.mutate({ personId }, callbacks),
    removeFactor: () => removeFactor.mutate({ personId }, callbacks),
    makeOperator: () => operator.mutate({ personId, isOn: true }, callbacks),
    removeOperator: () => operator.mutate({ personId, isOn: false }, callbacks),
    close: () => close.mutate({ personId }, callbacks),
    keep: () => keep.mutate({ personId }, callbacks),
  };
  const isBusy = [disable, operator, signOut, removeFactor, close, keep].some(({ isPending }) => isPending);
  return (
    <ConfirmDialog title={filled(title)} confirm={confirm} cancel="Cancel" busy={isBusy} onConfirm={run[act]} onClose={onClose}>
      {filled(text)}
    </ConfirmDialog>
  );
}
