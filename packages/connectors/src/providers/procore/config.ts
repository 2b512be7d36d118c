import { ConnectorError } from '../../core/error.ts';

/** The user whose companies a link shows. */
export interface ProcoreConfig {
  /** Procore's id of the user. */
  readonly userId: string;
  /** The e-mail address of the user's sign-in. */
  readonly login: string;
}

/** Parses the result of `identify`. Throws `badConfig`. */
export function parseProcoreConfig({ userId = '', login = '' }: Readonly<Record<string, string>>): ProcoreConfig {
  if (userId === '') throw new ConnectorError('badConfig', 'the account is missing', { details: { field: 'userId' } });
  return { userId, login };
}
