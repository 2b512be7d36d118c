import { ConnectorError } from '../../core/error.ts';

export interface CloudDriveConfig {
  /** Id of the account's root, the only identification of an account. */
  readonly rootId: string;
}

/** Parses the result of the authorization; throws `badConfig`. */
export function parseCloudDriveConfig(info: Readonly<Record<string, string>>): CloudDriveConfig {
  const { rootId = '' } = info;
  if (rootId === '') throw new ConnectorError('badConfig', 'no account', { details: { field: 'rootId' } });
  return { rootId };
}
