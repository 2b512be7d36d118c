import { PasswordInput } from '@mantine/core';
import { strengthOf } from '@sheaf/vault';
import classes from './dialogs.module.css';

const levels = ['Weak.', 'Fair.', 'Good.', 'Strong.'] as const;
/** Fewest characters of a passphrase. */
const fewest = 8;

/** Why a new passphrase cannot be used yet; undefined if it can. */
export const passphraseProblem = (passphrase: string, repeated: string): string | undefined => {
  if (passphrase.length < fewest) return `Please use at least ${fewest} characters.`;
  return passphrase === repeated ? undefined : 'The two do not match.';
};

type Props = {
  passphrase: string;
  repeated: string;
  onChange: (passphrase: string, repeated: string) => void;
};

/** A new passphrase, typed twice, with a careful estimate of what guessing it would take. */
export function PassphraseFields({ passphrase, repeated, onChange }: Props) {
  const { level, seconds } = strengthOf(passphrase);
  const differs = repeated !== '' && passphrase !== repeated;
  return (
    <>
      <PasswordInput
        label="Passphrase"
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
            <b>{levels[level]}</b> Guessing it with 100 graphics cards would take about {span(seconds)}.
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

/** A time in words, no more exact than the estimate is. */
function span(seconds: number): string {
  let rest = seconds;
  for (const [unit, next] of units) {
    if (rest < next) return rest < 1 ? `less than a ${unit}` : `${Math.round(rest)} ${unit}${Math.round(rest) === 1 ? '' : 's'}`;
    rest /= next;
  }
  if (rest > 1_000_000) return 'more than a million years';
  return `${Number(rest.toPrecision(1)).toLocaleString('en')} year${rest < 1.5 ? '' : 's'}`;
}
