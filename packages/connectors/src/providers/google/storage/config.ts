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
  /** The e-mail address of whoever opens the bucket. */
  readonly account: string;
  /** Absent: the user's grant opens the bucket. */
  readonly key?: ServiceAccountKey;
}

const Key = Type.Object({
  type: Type.Literal('service_account'),
  client_email: Type.String({ minLength: 1 }),
  private_key_id: Type.String({ minLength: 1 }),
  private_key: Type.String({ minLength: 1 }),
});

/** Checks connection info; throws `badConfig` with the field that is missing or malformed. */
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

/** The addresses in the file are not used: where a key is sent, it does not say itself. */
function parseKey(text: string): ServiceAccountKey {
  try {
    const { client_email, private_key_id, private_key } = parseJson(Key, text);
    if (createPrivateKey(private_key).asymmetricKeyType !== 'rsa') throw badField('serviceAccountKey', 'no RSA key');
    return { email: client_email, keyId: private_key_id, privateKey: private_key };
  } catch (error) {
    if (isKind(error, 'badConfig')) throw error;
    // The cause could quote the key.
    throw badField('serviceAccountKey', 'malformed');
  }
}

const badField = (field: string, fault: string) => new ConnectorError('badConfig', `${field} is ${fault}`, { details: { field } });
