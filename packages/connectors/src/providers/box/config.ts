import { ConnectorError } from '../../core/error.ts';

/** Whose files a link shows. */
export interface BoxConfig {
  readonly userId: string;
  /** The e-mail address with which the user signs in. */
  readonly login: string;
}

/** Reads what `identify` gave. Throws `badConfig`. */
export function parseBoxConfig(info: Readonly<Record<string, string>>): BoxConfig {
  const { userId = '', login = '' } = info;
  for (const [field, value] of Object.entries({ userId, login }))
    if (value === '') throw new ConnectorError('badConfig', `${field} is missing`, { details: { field } });
  return { userId, login };
}
