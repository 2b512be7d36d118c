import { Button, TextInput } from '@mantine/core';
import type { ScimToken } from '@sheaf/contract';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { dateWords } from '#/features/orgs/words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { CopyText } from '#/ui/CopyText.tsx';
import { ConfirmDialog } from '#/ui/dialog/ConfirmDialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone, notifyError } from '#/ui/feedback/notify.ts';
import { Section } from '#/ui/Section.tsx';
import { Tile } from '#/ui/Tile.tsx';
import { useCreateToken, useRevokeToken } from './queries.ts';
import classes from '../orgs.module.css';

type Props = { orgOid: string; tokens: readonly ScimToken[] };

/** The tokens of an organisation's directories; a new one is shown once. */
export function TokenSection({ orgOid, tokens }: Props) {
  const [name, setName] = useState('');
  const [revoked, setRevoked] = useState<ScimToken>();
  const create = useCreateToken(orgOid);
  const revoke = useRevokeToken(orgOid);
  const made = create.data?.token;
  return (
    <Section title="Tokens" text="With a token, a directory adds, changes and removes members. Give it to nobody else.">
      {tokens.length > 0 && (
        <ul className={classes.people}>
          {tokens.map((token) => (
            <li key={token.tokenId} className={classes.token}>
              <Tile>
                <IconKey size={18} stroke={1.75} />
              </Tile>
              <span className={classes.who}>
                <b>{token.name}</b>
                <small>
                  By {token.madeBy}, {dateWords(token.createdAt)} ·{' '}
                  {token.lastUsedAt === undefined ? 'not used yet' : `last used ${dateWords(token.lastUsedAt)}`}
                </small>
              </span>
              <Button size="xs" onClick={() => setRevoked(token)} aria-label={`Revoke ${token.name}`}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {made !== undefined && (
        <Notice kind="note">
          <p>Copy the token now: it is shown only once.</p>
          <CopyText text={made} label="Copy the token" framed />
        </Notice>
      )}
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') create.mutate(name.trim(), { onSuccess: () => setName('') });
        }}
      >
        <TextInput
          label="Name of a new token"
          placeholder="Entra"
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {create.error && <Notice kind="error">{errorText(create.error)}</Notice>}
        <Button type="submit" variant={tokens.length === 0 ? 'filled' : 'default'} loading={create.isPending} disabled={name.trim() === ''}>
          Make token
        </Button>
      </form>
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.name}?`}
          confirm="Revoke"
          cancel="Keep"
          busy={revoke.isPending}
          onConfirm={() =>
            revoke.mutate(revoked.tokenId, {
              onSuccess: () => notifyDone(`${revoked.name} was revoked.`),
              onError: (error) => notifyError(errorText(error)),
              onSettled: () => setRevoked(undefined),
            })
          }
          onClose={() => setRevoked(undefined)}
        >
          The directory that uses it can no longer change the members. They stay as they are.
        </ConfirmDialog>
      )}
    </Section>
  );
}
