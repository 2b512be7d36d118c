import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentPropsWithRef, useId, useState } from 'react';
import classes from './Field.module.css';

type Props = Omit<ComponentPropsWithRef<'input'>, 'type' | 'id' | 'className'> & { label: string; error: string | undefined };

/** A password with its label, its error, and a button that shows what was typed. Needs nothing of the component library. */
export function PasswordField({ label, error, ...input }: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const Eye = isShown ? IconEyeOff : IconEye;
  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.own}>
        <input
          {...input}
          id={id}
          className={classes.input}
          type={isShown ? 'text' : 'password'}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          data-error={error !== undefined || undefined}
        />
        <button
          type="button"
          className={classes.toggle}
          aria-label="Show the password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Eye size={18} stroke={1.75} aria-hidden="true" />
        </button>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
