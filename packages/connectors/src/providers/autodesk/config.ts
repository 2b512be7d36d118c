import { ConnectorError } from '../../core/error.ts';

/** Whose projects a link shows. */
export interface AutodeskConfig {
  /** Autodesk's id of the person; the same for ever. */
  readonly userId: string;
  readonly email: string;
}

/** Reads what `identify` gave. Throws `badConfig`. */
export function parseAutodeskConfig({ userId = '', email = '' }: Readonly<Record<string, string>>): AutodeskConfig {
  if (userId === '') throw new ConnectorError('badConfig', 'the account is missing', { details: { field: 'userId' } });
  return { userId, email };
}
