import { ConnectorError } from '../../core/error.ts';

/** Whose companies a link shows. */
export interface ProcoreConfig {
  /** Procore's number of the person. */
  readonly userId: string;
  /** The e-mail address that the person signs in with. */
  readonly login: string;
}

/** Reads what `identify` gave. Throws `badConfig`. */
export function parseProcoreConfig({ userId = '', login = '' }: Readonly<Record<string, string>>): ProcoreConfig {
  if (userId === '') throw new ConnectorError('badConfig', 'the account is missing', { details: { field: 'userId' } });
  return { userId, login };
}
