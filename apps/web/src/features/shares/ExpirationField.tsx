import { shareExpirations } from '@sheaf/contract';
import { useId } from 'react';
import classes from './shares.module.css';

/** How long a share may live; `index` is the place in the list of choices. */
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
