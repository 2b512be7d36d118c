import { Button, TextInput } from '@mantine/core';
import { type Org, mayInOrg } from '@sheaf/contract';
import { useState } from 'react';
import { useRename } from '#/features/orgs/queries.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { notifyDone } from '#/ui/feedback/notify.ts';
import { PathLink } from '#/ui/PathLink.tsx';
import { Section } from '#/ui/Section.tsx';
import { CloseOrgDialog } from './CloseOrgDialog.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import classes from '../orgs.module.css';

/** The name of an organisation, leaving it and closing it. */
export function OrgSettings({ org }: { org: Org }) {
  const [leaving, setLeaving] = useState<'leave' | 'close'>();
  const stay = (): void => setLeaving(undefined);
  return (
    <>
      {mayInOrg(org.role, 'rename') && (
        <Section title="Name" text="How members see the organisation.">
          <RenameForm key={org.name} org={org} />
        </Section>
      )}
      {mayInOrg(org.role, 'audit') && (
        <Section title="Activity" text="Who did what in the organisation, and when.">
          <Button component={PathLink} href={withQuery('/account/activity', { org: org.orgOid })}>
            Show the activity
          </Button>
        </Section>
      )}
      {org.role === 'owner' ? (
        <Section title="Close the organisation" text="Ends it for everybody. To leave it instead, make another member the owner first.">
          <Button onClick={() => setLeaving('close')}>Close the organisation</Button>
        </Section>
      ) : (
        <Section title="Leave" text="You will no longer reach its links.">
          <Button onClick={() => setLeaving('leave')}>Leave the organisation</Button>
        </Section>
      )}
      {leaving === 'leave' && <LeaveDialog org={org} onClose={stay} />}
      {leaving === 'close' && <CloseOrgDialog org={org} onClose={stay} />}
    </>
  );
}

function RenameForm({ org: { orgOid, name } }: { org: Org }) {
  const [value, setValue] = useState(name);
  const rename = useRename(orgOid, () => notifyDone('The organisation was renamed.'));
  const wanted = value.trim();
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted !== name && wanted !== '') rename.mutate(wanted);
      }}
    >
      <TextInput
        label="Name"
        value={value}
        autoComplete="off"
        error={rename.error && errorText(rename.error)}
        onChange={(event) => {
          setValue(event.currentTarget.value);
          rename.reset();
        }}
      />
      <Button type="submit" loading={rename.isPending} disabled={wanted === name || wanted === ''}>
        Save
      </Button>
    </form>
  );
}
