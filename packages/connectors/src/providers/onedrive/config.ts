import { ConnectorError } from '../../core/error.ts';
import { type Flavour, flavourOf } from './account/flavours.ts';

/** The account of a link and what the link shows. */
export interface OneDriveConfig {
  readonly flavour: Flavour;
  /** Microsoft's id of the account; its e-mail address may change. */
  readonly accountId: string;
  readonly account: string;
}

/** Parses the result of `identify`. Throws `badConfig`. */
export function parseOneDriveConfig(info: Readonly<Record<string, string>>, provider: string): OneDriveConfig {
  const { accountId = '', account = '' } = info;
  if (accountId === '') throw new ConnectorError('badConfig', 'no account', { details: { field: 'accountId' } });
  return { flavour: flavourOf(provider), accountId, account: account === '' ? accountId : account };
}
