import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type BandwidthRule, formatDays, type ReplyOf, type transferBandwidth } from '@sheaf/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { LimitSelect } from '#/features/transfers/LimitSelect.tsx';
import { ownTimezone, timezones } from '#/features/transfers/schedules/times.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { Dialog, DialogButtons, DialogFields } from '#/ui/dialog/Dialog.tsx';
import { Notice } from '#/ui/feedback/Notice.tsx';
import { IconButton } from '#/ui/IconButton.tsx';
import { useSetBandwidth } from './queries.ts';
import { daysOf, daysOffered, minutesOf, newRule, textOf, timeOf, timetableOf } from './rules.ts';
import classes from './TimetableDialog.module.css';

interface Props {
  readonly bandwidth: ReplyOf<typeof transferBandwidth>;
  readonly onClose: () => void;
}

/** Limits of all transfers together by the hours of the week. */
export function TimetableDialog({ bandwidth, onClose }: Props) {
  const isNew = bandwidth.timetable === '';
  const [table, setTable] = useState(() => timetableOf(bandwidth.timetable));
  const [timezone, setTimezone] = useState(isNew ? ownTimezone() : bandwidth.timezone);
  const set = useSetBandwidth();
  const { rules, otherwise } = table;
  const setRules = (changed: readonly BandwidthRule[]): void => setTable({ ...table, rules: changed });
  return (
    <Dialog
      title="Speed limits"
      sentence="They hold for all your transfers together. Of two rows for the same hour, the upper one holds."
      wide="sheet"
      busy={set.isPending}
      onClose={onClose}
    >
      <DialogFields>
        {rules.length > 0 && (
          <ul className={classes.rules} aria-label="Hours with a limit">
            {rules.map((rule, index) => (
              // Rows have no identity but their place; all of their state is here.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className={classes.rule}>
                <Rule
                  rule={rule}
                  row={index + 1}
                  disabled={set.isPending}
                  onChange={(changed) => setRules(rules.with(index, changed))}
                  onRemove={() => setRules(rules.toSpliced(index, 1))}
                />
              </li>
            ))}
          </ul>
        )}
        <div>
          <Button
            size="xs"
            leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
            disabled={set.isPending}
            onClick={() => setRules([...rules, newRule])}
          >
            Add hours
          </Button>
        </div>
        <div className={classes.rest}>
          <span>{rules.length === 0 ? 'At all times' : 'At all other times'}</span>
          <LimitSelect
            label={rules.length === 0 ? 'Limit at all times' : 'Limit at all other times'}
            value={otherwise ?? undefined}
            disabled={set.isPending}
            onChange={(limit) => setTable({ ...table, otherwise: limit ?? null })}
          />
        </div>
        <NativeSelect
          label="Time zone"
          value={timezone}
          data={[...timezones(timezone)]}
          onChange={({ currentTarget }) => setTimezone(currentTarget.value)}
        />
      </DialogFields>
      {set.error && (
        <Notice kind="error" inDialog>
          {errorText(set.error)}
        </Notice>
      )}
      <DialogButtons>
        <Button variant="subtle" disabled={set.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="filled"
          loading={set.isPending}
          onClick={() => set.mutate({ timetable: textOf(table), timezone }, { onSuccess: onClose })}
        >
          Save
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface RuleProps {
  readonly rule: BandwidthRule;
  readonly row: number;
  readonly disabled: boolean;
  readonly onChange: (rule: BandwidthRule) => void;
  readonly onRemove: () => void;
}

function Rule({ rule, row, disabled, onChange, onRemove }: RuleProps) {
  const { days, from, to, limit } = rule;
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Days of row ${row}`}
        value={formatDays(days)}
        data={[...daysOffered(rule)]}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange({ ...rule, days: daysOf(currentTarget.value) })}
      />
      <Time label={`From, row ${row}`} value={from} disabled={disabled} onChange={(minutes) => onChange({ ...rule, from: minutes })} />
      <Time label={`Until, row ${row}`} value={to} disabled={disabled} onChange={(minutes) => onChange({ ...rule, to: minutes })} />
      <LimitSelect
        label={`Limit of row ${row}`}
        value={limit ?? undefined}
        disabled={disabled}
        onChange={(changed) => onChange({ ...rule, limit: changed ?? null })}
      />
      <IconButton label={`Remove row ${row}`} withTooltip={false} disabled={disabled} onClick={onRemove}>
        <IconX size={16} stroke={1.75} />
      </IconButton>
    </>
  );
}

interface TimeProps {
  readonly label: string;
  /** Minutes of the day. */
  readonly value: number;
  readonly disabled: boolean;
  readonly onChange: (minutes: number) => void;
}

function Time({ label, value, disabled, onChange }: TimeProps) {
  return (
    <TextInput
      size="xs"
      type="time"
      aria-label={label}
      value={timeOf(value)}
      disabled={disabled}
      onChange={({ currentTarget }) => {
        const minutes = minutesOf(currentTarget.value);
        if (minutes !== undefined) onChange(minutes);
      }}
    />
  );
}
