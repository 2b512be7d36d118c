import { NativeSelect, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CallError } from '#/lib/http/call-error.ts';
import { errorText } from '#/lib/http/error-text.ts';
import { nextTimesQuery } from './queries.ts';
import { type Rhythm, type When, cronOf, rhythmWords, rhythms, timezones } from './times.ts';
import classes from './WhenFields.module.css';

interface Props {
  readonly when: When;
  readonly timezone: string;
  readonly onChange: (when: When) => void;
  readonly onTimezone: (timezone: string) => void;
}

/** When a schedule runs, with its next times. */
export function WhenFields({ when, timezone, onChange, onTimezone }: Props) {
  const { rhythm, time, monthDay, cron } = when;
  const change = (fields: Partial<When>): void => onChange({ ...when, ...fields });
  return (
    <>
      <NativeSelect
        label="How often"
        value={rhythm}
        data={rhythms.map((value) => ({ value, label: rhythmWords[value] }))}
        onChange={({ currentTarget: { value } }) =>
          change({ rhythm: value as Rhythm, ...(value === 'custom' && { cron: cronOf(when) ?? cron }) })
        }
      />
      {rhythm === 'weekly' && <Days when={when} onChange={change} />}
      {rhythm === 'monthly' && (
        <TextInput
          label="Day of the month"
          description={monthDay > 28 ? 'Months without this day are left out.' : undefined}
          type="number"
          min={1}
          max={31}
          value={monthDay === 0 ? '' : monthDay}
          onChange={({ currentTarget }) => change({ monthDay: Math.trunc(Number(currentTarget.value)) })}
        />
      )}
      {rhythm === 'custom' ? (
        <TextInput
          label="Cron text"
          description="Minute, hour, day of month, month, day of week"
          value={cron}
          maxLength={200}
          spellCheck={false}
          onChange={({ currentTarget }) => change({ cron: currentTarget.value })}
        />
      ) : (
        <TextInput
          label={rhythm === 'hourly' ? 'At the minute of' : 'At'}
          type="time"
          value={time}
          onChange={({ currentTarget }) => change({ time: currentTarget.value })}
        />
      )}
      <NativeSelect
        label="Time zone"
        value={timezone}
        data={[...timezones(timezone)]}
        onChange={({ currentTarget }) => onTimezone(currentTarget.value)}
      />
      <NextTimes cron={cronOf(when)} timezone={timezone} />
    </>
  );
}

/** Monday first; 3 January 2000 was one. */
const week = [1, 2, 3, 4, 5, 6, 0];
const dayName = (day: number, weekday: 'short' | 'long'): string =>
  new Date(Date.UTC(2000, 0, 2 + day)).toLocaleDateString('en-GB', { weekday, timeZone: 'UTC' });

function Days({ when: { days }, onChange }: { when: When; onChange: (fields: Partial<When>) => void }) {
  return (
    <fieldset className={classes.days}>
      <legend>On</legend>
      {week.map((day) => (
        <UnstyledButton
          key={day}
          aria-label={dayName(day, 'long')}
          aria-pressed={days.includes(day)}
          onClick={() => onChange({ days: days.includes(day) ? days.filter((one) => one !== day) : [...days, day] })}
        >
          {dayName(day, 'short')}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

function NextTimes({ cron, timezone }: { cron: string | undefined; timezone: string }) {
  const [asked] = useDebouncedValue(cron, 300, { leading: true });
  const { data, error } = useQuery(nextTimesQuery(asked, timezone));
  if (cron === undefined) return null;
  if (error)
    return (
      <p className={classes.next} role="status">
        {error instanceof CallError && error.is('INVALID_PARAMETER') ? 'These times never come, or are not cron text.' : errorText(error)}
      </p>
    );
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'full', timeStyle: 'short' });
  return (
    <div className={classes.next}>
      <h3>Next runs</h3>
      <ul aria-label="Next runs">
        {data?.times.map((next) => (
          <li key={next}>{format.format(next)}</li>
        ))}
      </ul>
    </div>
  );
}
