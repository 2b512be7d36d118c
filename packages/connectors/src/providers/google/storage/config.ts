import { createPrivateKey } from 'node:crypto';
import { directoryStructures } from '@sheaf/contract';
import { Type } from 'typebox';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { parseJson } from '../../../kit/rest/json.ts';

/** A service account's key: https://cloud.google.com/iam/docs/keys-create-delete */
export interface ServiceAccountKey {
  readonly email: string;
  readonly keyId: string;
  /** PEM. */
  readonly privateKey: string;
}

/** The connection info of a link to one bucket. */
export interface CloudConfig {
  readonly info: Readonly<Record<string, string>>;
  readonly bucket: string;
  readonly enhanced: boolean;
  /** The e-mail address of the account that opens the bucket. */
  readonly account: string;
  /** Absent: the bucket is opened with the user's grant. */
  readonly key?: ServiceAccountKey;
}

const Key = Type.Object({
  type: Type.Literal('service_account'),
  client_email: Type.String({ minLength: 1 }),
  private_key_id: Type.String({ minLength: 1 }),
  private_key: Type.String({ minLength: 1 }),
});

/** Validates connection info; throws `badConfig` with the missing or malformed field. */
export function parseCloudConfig(info: Readonly<Record<string, string>>): CloudConfig {
  const bucket = info['bucketName']?.trim() ?? '';
  if (bucket === '') throw badField('bucketName', 'missing');
  const text = info['serviceAccountKey']?.trim() ?? '';
  const key = text === '' ? undefined : parseKey(text);
  return {
    info,
    bucket,
    enhanced: info['directoryStructure'] === directoryStructures.enhanced,
    account: key?.email ?? info['account'] ?? '',
    ...(key && { key }),
  };
}

/** Ignores the URLs in the file: a key must not decide where it is sent. */
function parseKey(text: string): ServiceAccountKey {
  try {
    const { client_email, private_key_id, private_key } = parseJson(Key, text);
    if (createPrivateKey(private_key).asymmetricKeyType !== 'rsa') throw badField('serviceAccountKey', 'no RSA key');
    return { email: client_email, keyId: private_key_id, privateKey: private_key };
  } catch (error) {
    if (isKind(error, 'badConfig')) throw error;
    // No cause: it could quote the key.
    throw badField('serviceAccountKey', 'malformed');
  }
}

const badField = (field: string, fault: string) => new ConnectorError('badConfig', `${field} is ${fault}`, { details: { field } });
