import { shareExpirations } from '@sheaf/contract';
import { useId } from 'react';
import classes from './shares.module.css';

/** Expiration of a share; `index` is the position in the list of choices. */
export function ExpirationField({ index, onIndex }: { index: number; onIndex: (index: number) => void }) {
  const name = useId();
  return (
    <fieldset className={classes.expiration}>
      <legend>Expiration</legend>
      {shareExpirations.map(({ label }, place) => (
        <label key={label} className={classes.choice} data-on={place === index || undefined}>
          <input type="radio" name={name} checked={place === index} onChange={() => onIndex(place)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
