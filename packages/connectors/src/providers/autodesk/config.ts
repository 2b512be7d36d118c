import { ConnectorError } from '../../core/error.ts';

/** The user whose projects a link shows. */
export interface AutodeskConfig {
  /** Autodesk's permanent id of the user. */
  readonly userId: string;
  readonly email: string;
}

/** Parses the result of `identify`. Throws `badConfig`. */
export function parseAutodeskConfig({ userId = '', email = '' }: Readonly<Record<string, string>>): AutodeskConfig {
  if (userId === '') throw new ConnectorError('badConfig', 'the account is missing', { details: { field: 'userId' } });
  return { userId, email };
}
