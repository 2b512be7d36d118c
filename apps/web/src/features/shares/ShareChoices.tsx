import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { localTimeOf, secondsOf } from './local-time.ts';
import type { ShareDraft } from './share-link.ts';
import classes from './shares.module.css';

type Choices = Pick<ShareDraft, 'endsAt' | 'downloadLimit' | 'viewOnly' | 'notifies'>;
type Props = { draft: Choices; onChange: (part: Choices) => void };

/** Further choices of a share, closed until one of them is used. */
export function ShareChoices({ draft: { endsAt, downloadLimit = 0, viewOnly = false, notifies = false }, onChange }: Props) {
  const [openedAt] = useState(Date.now);
  const [isOpen] = useState(endsAt !== undefined || downloadLimit > 0 || viewOnly || notifies);
  return (
    <details className={classes.more} open={isOpen}>
      <summary>More choices</summary>
      <div className={classes.choices}>
        <TextInput
          type="datetime-local"
          label="Ends on"
          description="Takes the place of the expiration above."
          min={localTimeOf(openedAt / 1000)}
          value={endsAt === undefined ? '' : localTimeOf(endsAt)}
          error={endsAt !== undefined && endsAt * 1000 <= openedAt ? 'This time has passed.' : undefined}
          onChange={(event) => onChange({ endsAt: secondsOf(event.currentTarget.value) })}
        />
        <TextInput
          label="Limit of downloads"
          description="Looking at a file counts, too. Whoever gets the same file again within an hour counts once."
          placeholder="Any number"
          inputMode="numeric"
          maxLength={6}
          value={downloadLimit === 0 ? '' : downloadLimit}
          onChange={(event) => onChange({ downloadLimit: Number(event.currentTarget.value.replaceAll(/\D/g, '')) })}
        />
        <Checkbox
          label="Visitors may look, but not download"
          description="Sheaf shows no download button. What a browser shows can still be copied."
          checked={viewOnly}
          onChange={(event) => onChange({ viewOnly: event.currentTarget.checked })}
        />
        <Checkbox
          label="Tell me by mail when it is opened"
          description="At most once a day."
          checked={notifies}
          onChange={(event) => onChange({ notifies: event.currentTarget.checked })}
        />
      </div>
    </details>
  );
}
