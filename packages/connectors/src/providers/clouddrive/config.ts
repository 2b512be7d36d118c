import { ConnectorError } from '../../core/error.ts';

export interface CloudDriveConfig {
  /** Of the account's root, which is all that tells accounts apart. */
  readonly rootId: string;
}

/** Reads what the authorization has found out; throws `badConfig`. */
export function parseCloudDriveConfig(info: Readonly<Record<string, string>>): CloudDriveConfig {
  const { rootId = '' } = info;
  if (rootId === '') throw new ConnectorError('badConfig', 'no account', { details: { field: 'rootId' } });
  return { rootId };
}
