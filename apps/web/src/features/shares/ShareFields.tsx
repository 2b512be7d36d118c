import { PasswordInput } from '@mantine/core';
import { ExpirationField } from './ExpirationField.tsx';
import type { ShareDraft } from './share-link.ts';
import { ShareChoices } from './ShareChoices.tsx';
import classes from './shares.module.css';

type Props = {
  draft: ShareDraft;
  /** Whether it is a folder into which visitors may upload. */
  canTakeUploads?: boolean;
  onChange: (part: Partial<ShareDraft>) => void;
};

/** Password, expiration and further choices of a new share. */
export function ShareFields({ draft, canTakeUploads = false, onChange }: Props) {
  return (
    <>
      <PasswordInput
        label={
          <>
            Password <span className={classes.optional}>optional</span>
          </>
        }
        placeholder="Anyone with the link can open it"
        autoComplete="new-password"
        data-autofocus
        value={draft.password ?? ''}
        onChange={(event) => onChange({ password: event.currentTarget.value })}
      />
      <ExpirationField
        index={draft.expirationIndex}
        onIndex={(expirationIndex) => onChange({ expirationIndex })}
        disabled={draft.endsAt !== undefined}
      />
      <ShareChoices draft={draft} canTakeUploads={canTakeUploads} onChange={onChange} />
    </>
  );
}
