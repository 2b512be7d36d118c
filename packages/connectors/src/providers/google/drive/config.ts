import { ConnectorError } from '../../../core/error.ts';

/** Whose Drive it is. */
export interface DriveConfig {
  /** Google's id of the account, as Drive tells it. */
  readonly accountId: string;
  readonly email: string;
}

/** Reads what the authorization told of the account; throws `badConfig` for what is missing. */
export function parseDriveConfig(info: Readonly<Record<string, string>>): DriveConfig {
  const { accountId = '', email = '' } = info;
  if (accountId === '') throw new ConnectorError('badConfig', 'the account is missing', { details: { field: 'accountId' } });
  return { accountId, email };
}
