import { ConnectorError } from '../../core/error.ts';

/** The connection info of a link to a B2 account, or to the buckets of a restricted key. */
export interface B2Config {
  /** Connection info as entered, with defaults. */
  readonly info: Readonly<Record<string, string>>;
  /** For the master key this is the account id. */
  readonly keyId: string;
  readonly applicationKey: string;
  readonly mayWrite: boolean;
}

const choices: Readonly<Record<string, boolean>> = { '': true, ALLOW_WRITE: true, DISALLOW_WRITE: false };

/** Validates connection info; throws `badConfig` with the missing or malformed field. Writes are allowed by default. */
export function parseB2Config(info: Readonly<Record<string, string>>): B2Config {
  const mayWrite = choices[info['allowWrite'] ?? ''];
  if (mayWrite === undefined) throw badField('allowWrite', 'malformed');
  return { info, keyId: required(info, 'accountId'), applicationKey: required(info, 'applicationKey'), mayWrite };
}

function required(info: Readonly<Record<string, string>>, field: string): string {
  const value = info[field]?.trim();
  if (!value) throw badField(field, 'missing');
  return value;
}

const badField = (field: string, fault: string) => new ConnectorError('badConfig', `${field} is ${fault}`, { details: { field } });
