import { IconAlertCircle, IconMail } from '@tabler/icons-react';
import { errorAnswerText } from '#/lib/http/error-text.ts';
import classes from '../spaces.module.css';

type Props = { invited: readonly string[]; refused: readonly { readonly email: string; readonly message: string }[] };

/** Whom a mail was sent to, and who could not be invited and why. */
export function Invited({ invited, refused }: Props) {
  return (
    <div role="status">
      <ul className={classes.invited}>
        {invited.map((email) => (
          <li key={email}>
            <IconMail size={16} stroke={1.75} aria-hidden="true" />
            <span>Invited {email}</span>
          </li>
        ))}
        {refused.map(({ email, ...error }) => (
          <li key={email} data-refused>
            <IconAlertCircle size={16} stroke={1.75} aria-hidden="true" />
            <span>
              {email}: {errorAnswerText(error)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
