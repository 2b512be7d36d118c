import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { useGo } from '#/ui/PathLink.tsx';
import { useCreateSchedule } from './queries.ts';
import { type Rhythm, cronOf, rhythmWords, rhythms } from './times.ts';

interface Props {
  /** What is backed up, as shown. */
  readonly what: string;
  readonly linkUris: readonly string[];
  readonly parentLinkUri: string;
  readonly onClose: () => void;
}

/** Makes a backup: a mirror that runs at certain times. */
export function ScheduleDialog({ what, linkUris, parentLinkUri, onClose }: Props) {
  const [name, setName] = useState(what);
  const [rhythm, setRhythm] = useState<Rhythm>('daily');
  const [time, setTime] = useState('02:30');
  const create = useCreateSchedule();
  const go = useGo();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const submit = (): void =>
    create.mutate(
      { kind: 'mirror', linkUri: [...linkUris], parentLinkUri, conflict: 'fail', name, cron: cronOf(rhythm, time), timezone: timeZone },
      {
        onSuccess: () => {
          onClose();
          go('/transfers');
        },
      },
    );
  return (
    <Dialog
      title={`Back up ${what}`}
      sentence="The destination becomes equal to the source each time. Replaced and deleted files are kept there in dated folders."
      busy={create.isPending}
      onClose={onClose}
    >
      <DialogFields>
        <TextInput label="Name" value={name} maxLength={200} onChange={(event) => setName(event.currentTarget.value)} />
        <NativeSelect
          label="How often"
          value={rhythm}
          data={rhythms.map((value) => ({ value, label: rhythmWords[value] }))}
          onChange={(event) => setRhythm(event.currentTarget.value as Rhythm)}
        />
        <TextInput
          label={rhythm === 'hourly' ? 'At the minute of' : 'At'}
          description={timeZone}
          type="time"
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      </DialogFields>
      {create.error && (
        <Notice kind="error" inDialog>
          {errorText(create.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" disabled={create.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" loading={create.isPending} disabled={name.trim() === '' || time === ''} onClick={submit}>
          Back up
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
