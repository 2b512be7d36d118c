import { Button, TextInput } from '@mantine/core';
import type { Org } from '@sheaf/contract';
import { useState } from 'react';
import { useCloseOrg } from '#/features/orgs/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { orgHome } from '#/lib/org-address.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { useGo } from '#/ui/PathLink.tsx';

/** Confirms the end of an organisation: its name has to be typed. */
export function CloseOrgDialog({ org: { orgOid, name }, onClose }: { org: Org; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const go = useGo();
  const end = useCloseOrg(orgOid, () => {
    notifyDone(`${name} was closed.`);
    go(orgHome);
  });
  return (
    <Dialog
      title={`Close ${name}?`}
      sentence="Its links and its plan end at once, for every member. The files stay where they are. This cannot be taken back."
      busy={end.isPending}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === name) end.mutate(typed.trim());
        }}
      >
        <DialogFields>
          <TextInput
            label={`Type "${name}" to confirm`}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              end.reset();
            }}
          />
        </DialogFields>
        {end.error && (
          <Notice kind="error" inDialog>
            {errorText(end.error)}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="subtle" disabled={end.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button variant="danger" type="submit" loading={end.isPending} disabled={typed.trim() !== name}>
            Close the organisation
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
