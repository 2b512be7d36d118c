import { ConnectorError } from '../../core/error.ts';
import { type Flavour, flavourOf } from './account/flavours.ts';

/** Whose files, and which of them. */
export interface OneDriveConfig {
  readonly flavour: Flavour;
  /** Microsoft's own id of the account; its address may change. */
  readonly accountId: string;
  readonly account: string;
}

/** Reads what `identify` gave. Throws `badConfig`. */
export function parseOneDriveConfig(info: Readonly<Record<string, string>>, provider: string): OneDriveConfig {
  const { accountId = '', account = '' } = info;
  if (accountId === '') throw new ConnectorError('badConfig', 'no account', { details: { field: 'accountId' } });
  return { flavour: flavourOf(provider), accountId, account: account === '' ? accountId : account };
}
