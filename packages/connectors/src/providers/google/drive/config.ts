import { ConnectorError } from '../../../core/error.ts';

/** The owner of the Drive. */
export interface DriveConfig {
  /** Google's id of the account. */
  readonly accountId: string;
  readonly email: string;
}

/** Parses the result of the authorization; throws `badConfig` for a missing field. */
export function parseDriveConfig(info: Readonly<Record<string, string>>): DriveConfig {
  const { accountId = '', email = '' } = info;
  if (accountId === '') throw new ConnectorError('badConfig', 'the account is missing', { details: { field: 'accountId' } });
  return { accountId, email };
}
