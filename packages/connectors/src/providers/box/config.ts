import { ConnectorError } from '../../core/error.ts';

/** The user whose files a link shows. */
export interface BoxConfig {
  readonly userId: string;
  /** The e-mail address of the user's sign-in. */
  readonly login: string;
}

/** Parses the result of `identify`. Throws `badConfig`. */
export function parseBoxConfig(info: Readonly<Record<string, string>>): BoxConfig {
  const { userId = '', login = '' } = info;
  for (const [field, value] of Object.entries({ userId, login }))
    if (value === '') throw new ConnectorError('badConfig', `${field} is missing`, { details: { field } });
  return { userId, login };
}
