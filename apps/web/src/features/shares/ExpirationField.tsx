import { shareExpirations } from '@sheaf/contract';
import { useId } from 'react';
import classes from './shares.module.css';

type Props = {
  /** Position in the list of choices. */
  index: number;
  onIndex: (index: number) => void;
  /** Whether an end of its own takes its place. */
  disabled?: boolean;
};

/** Expiration of a share. */
export function ExpirationField({ index, onIndex, disabled = false }: Props) {
  const name = useId();
  return (
    <fieldset className={classes.expiration} disabled={disabled}>
      <legend>Expiration</legend>
      {shareExpirations.map(({ label }, place) => (
        <label key={label} className={classes.choice} data-on={(!disabled && place === index) || undefined}>
          <input type="radio" name={name} checked={!disabled && place === index} onChange={() => onIndex(place)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
