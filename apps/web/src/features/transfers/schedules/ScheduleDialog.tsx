import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type TransferConflictRule, limits, transferConflictRules } from '@sheaf/contract';
import { useState } from 'react';
import { ruleWords } from '#/features/transfers/plan-words.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { type ScheduleWish, useSaveSchedule } from './queries.ts';
import { cronOf, whenOf } from './times.ts';
import { WhenFields } from './WhenFields.tsx';
import classes from './WhenFields.module.css';

interface Props {
  readonly title: string;
  readonly save: string;
  /** What is scheduled, as it is now. */
  readonly wish: ScheduleWish;
  /** Of a schedule that is changed. */
  readonly scheduleId?: string;
  readonly onSaved?: () => void;
  readonly onClose: () => void;
}

/** Makes or changes a schedule: its name, its times, and what it keeps. */
export function ScheduleDialog({ title, save, wish, scheduleId, onSaved, onClose }: Props) {
  const { kind, keepVersions = 'folder' } = wish;
  const [name, setName] = useState(wish.name);
  const [when, setWhen] = useState(() => whenOf(wish.cron));
  const [timezone, setTimezone] = useState(wish.timezone);
  const [conflict, setConflict] = useState(wish.conflict ?? 'fail');
  const [days, setDays] = useState(wish.versionDays);
  const [runs, setRuns] = useState(wish.versionRuns);
  const saving = useSaveSchedule(scheduleId);
  const cron = cronOf(when);
  const submit = (): void => {
    if (cron === undefined) return;
    const { versionDays: _, versionRuns: __, ...others } = wish;
    saving.mutate(
      {
        ...others,
        name,
        cron,
        timezone,
        conflict,
        ...(days !== undefined && { versionDays: days }),
        ...(runs !== undefined && { versionRuns: runs }),
      },
      {
        onSuccess: () => {
          onClose();
          onSaved?.();
        },
      },
    );
  };
  return (
    <Dialog
      title={title}
      {...(kind === 'mirror' && { sentence: mirrorWords[keepVersions] })}
      wide
      busy={saving.isPending}
      onClose={onClose}
    >
      <DialogFields>
        <TextInput
          label="Name"
          value={name}
          maxLength={limits.nameLength.max}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {kind !== 'mirror' && (
          <NativeSelect
            label="If a name already exists"
            value={conflict}
            data={transferConflictRules.map((value) => ({ value, label: ruleWords[value] }))}
            onChange={({ currentTarget }) => setConflict(currentTarget.value as TransferConflictRule)}
          />
        )}
        <WhenFields when={when} timezone={timezone} onChange={setWhen} onTimezone={setTimezone} />
        {kind === 'mirror' && keepVersions === 'folder' && (
          <div className={classes.pair}>
            <Limit label="Days to keep old files" value={days} most={limits.versionDays} onChange={setDays} />
            <Limit label="Runs to keep old files" value={runs} most={limits.versionRuns} onChange={setRuns} />
          </div>
        )}
      </DialogFields>
      {saving.error && (
        <Notice kind="error" inDialog>
          {errorText(saving.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" disabled={saving.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" loading={saving.isPending} disabled={name.trim() === '' || cron === undefined} onClick={submit}>
          {save}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

const mirrorWords = {
  folder: 'The destination becomes equal to the source each time. Replaced and deleted files are kept there in dated folders.',
  provider:
    'The destination becomes equal to the source each time. Replaced and deleted files are kept only as the storage itself keeps them.',
} as const;

interface LimitProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly most: number;
  readonly onChange: (value: number | undefined) => void;
}

/** A number from 1, or nothing for no limit. */
function Limit({ label, value, most, onChange }: LimitProps) {
  return (
    <TextInput
      label={label}
      placeholder="No limit"
      type="number"
      min={1}
      max={most}
      value={value ?? ''}
      onChange={({ currentTarget }) => {
        const number = Math.trunc(Number(currentTarget.value));
        onChange(number >= 1 ? Math.min(number, most) : undefined);
      }}
    />
  );
}
