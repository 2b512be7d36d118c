import { PasswordInput } from '@mantine/core';
import { strengthOf } from '@sheaf/vault';
import classes from './dialogs.module.css';

const levels = ['Weak.', 'Fair.', 'Good.', 'Strong.'] as const;
/** Minimum length of a passphrase. */
const fewest = 8;

/** Says whether a new passphrase can be used; the fields show why not. */
export const isPassphraseReady = (passphrase: string, repeated: string): boolean => passphrase.length >= fewest && passphrase === repeated;

type Props = {
  label?: string;
  passphrase: string;
  repeated: string;
  onChange: (passphrase: string, repeated: string) => void;
};

/** Fields for a new passphrase, typed twice, with a conservative estimate of the time to guess it. */
export function PassphraseFields({ label = 'Passphrase', passphrase, repeated, onChange }: Props) {
  const { level, seconds } = strengthOf(passphrase);
  const differs = repeated !== '' && passphrase !== repeated;
  return (
    <>
      <PasswordInput
        label={label}
        description={`At least ${fewest} characters.`}
        required
        autoComplete="new-password"
        value={passphrase}
        onChange={(event) => onChange(event.currentTarget.value, repeated)}
      />
      {passphrase !== '' && (
        <div className={classes.strength} data-level={level}>
          <span aria-hidden="true">
            {levels.map((name, index) => (
              <i key={name} data-on={index <= level || undefined} />
            ))}
          </span>
          <p role="status">
            <b>{levels[level]}</b> Guessing it with 100 graphics cards would take {span(seconds)}.
          </p>
        </div>
      )}
      <PasswordInput
        label="Repeat passphrase"
        required
        autoComplete="new-password"
        value={repeated}
        error={differs ? 'The two do not match.' : undefined}
        onChange={(event) => onChange(passphrase, event.currentTarget.value)}
      />
    </>
  );
}

const units = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 365],
] as const;

/** Words a time, no more precisely than the estimate allows. */
function span(seconds: number): string {
  let rest = seconds;
  for (const [unit, next] of units) {
    if (rest < next) return rest < 1 ? `less than a ${unit}` : `about ${Math.round(rest)} ${unit}${Math.round(rest) === 1 ? '' : 's'}`;
    rest /= next;
  }
  if (rest > 1_000_000) return 'more than a million years';
  return `about ${Number(rest.toPrecision(1)).toLocaleString('en')} year${rest < 1.5 ? '' : 's'}`;
}
