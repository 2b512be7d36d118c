import { ConnectorError } from '../../core/error.ts';

/** The connection info of a link to a B2 account, or to the buckets that one key may see. */
export interface B2Config {
  /** As given, and completed. */
  readonly info: Readonly<Record<string, string>>;
  /** The account's id stands here for the master key. */
  readonly keyId: string;
  readonly applicationKey: string;
  readonly mayWrite: boolean;
}

const choices: Readonly<Record<string, boolean>> = { '': true, ALLOW_WRITE: true, DISALLOW_WRITE: false };

/** Checks connection info; throws `badConfig` with the field that is missing or malformed. Writes are allowed unless told otherwise. */
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
