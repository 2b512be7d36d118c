import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { localTimeOf, secondsOf } from './local-time.ts';
import type { ShareDraft } from './share-link.ts';
import classes from './shares.module.css';

type Choices = Pick<ShareDraft, 'endsAt' | 'downloadLimit' | 'viewOnly' | 'uploadOnly' | 'notifies'>;
type Props = {
  draft: Choices;
  /** Whether the share can become one into which visitors upload: a new one of a folder. */
  canTakeUploads?: boolean;
  onChange: (part: Choices) => void;
};

/** Further choices of a share, closed until one of them is used. */
export function ShareChoices({ draft, canTakeUploads = false, onChange }: Props) {
  const { endsAt, downloadLimit = 0, viewOnly = false, uploadOnly = false, notifies = false } = draft;
  const [openedAt] = useState(Date.now);
  const [isOpen] = useState(endsAt !== undefined || downloadLimit > 0 || viewOnly || notifies);
  return (
    <details className={classes.more} open={isOpen}>
      <summary>More choices</summary>
      <div className={classes.choices}>
        {canTakeUploads && (
          <Checkbox
            label="Visitors only add files"
            description="They see nothing of what is in the folder, nor what others have added."
            checked={uploadOnly}
            onChange={(event) => onChange({ uploadOnly: event.currentTarget.checked })}
          />
        )}
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
          label={uploadOnly ? 'Limit of files' : 'Limit of downloads'}
          description={
            uploadOnly
              ? 'After so many added files the link takes no more.'
              : 'Looking at a file counts, too. Whoever gets the same file again within an hour counts once.'
          }
          placeholder="Any number"
          inputMode="numeric"
          maxLength={6}
          value={downloadLimit === 0 ? '' : downloadLimit}
          onChange={(event) => onChange({ downloadLimit: Number(event.currentTarget.value.replaceAll(/\D/g, '')) })}
        />
        {!uploadOnly && (
          <Checkbox
            label="Visitors may look, but not download"
            description="Sheaf shows no download button. What a browser shows can still be copied."
            checked={viewOnly}
            onChange={(event) => onChange({ viewOnly: event.currentTarget.checked })}
          />
        )}
        <Checkbox
          label={uploadOnly ? 'Tell me by mail when files are added' : 'Tell me by mail when it is opened'}
          description="At most once a day."
          checked={notifies}
          onChange={(event) => onChange({ notifies: event.currentTarget.checked })}
        />
      </div>
    </details>
  );
}
