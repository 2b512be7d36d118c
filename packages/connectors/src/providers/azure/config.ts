import { isIP } from 'node:net';
import { directoryStructures } from '@sheaf/contract';
import { ConnectorError } from '../../core/error.ts';

/** The connection info of a link to one container. */
export interface AzureConfig {
  readonly info: Readonly<Record<string, string>>;
  /** `https://host:port`. */
  readonly origin: string;
  /** Prefix of the endpoint's paths: the account, such as `/devstoreaccount1`, where the host cannot name it; '' for the public one. */
  readonly base: string;
  readonly account: string;
  /** The account key, base64. */
  readonly secret: string;
  readonly container: string;
  readonly enhanced: boolean;
}

/** https://learn.microsoft.com/azure/storage/common/storage-account-overview#storage-account-name */
const accountName = /^[a-z0-9]{3,24}$/;

/**
 * Validates connection info; throws `badConfig` with the missing or malformed field, `wrongKey` for an impossible account name and
 * `noBucket` for an impossible container name. An empty host means the account's public endpoint.
 */
export function parseAzureConfig(info: Readonly<Record<string, string>>): AzureConfig {
  const account = required(info, 'key');
  // The name becomes part of a header and a path. An emulator accepts names that the service would not.
  if (!/^[\w.-]+$/.test(account)) throw new ConnectorError('wrongKey', 'no account has such a name');
  const container = required(info, 'bucketName');
  if (container.includes('/')) throw new ConnectorError('noBucket', 'no container has such a name');
  const endpoint = endpointOf((info['host'] ?? '').trim(), account);
  return {
    info,
    origin: endpoint.origin,
    base: endpoint.pathname.replace(/\/$/, '') || (isIP(endpoint.hostname) || endpoint.hostname === 'localhost' ? `/${account}` : ''),
    account,
    secret: required(info, 'secret'),
    container,
    enhanced: info['directoryStructure'] === directoryStructures.enhanced,
  };
}

function endpointOf(host: string, account: string): URL {
  // Any other name could lead to another host.
  if (host === '' && !accountName.test(account)) throw new ConnectorError('wrongKey', 'no account has such a name');
  const address = host === '' ? `${account}.blob.core.windows.net` : host;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.search !== '')
    throw badField('host', 'malformed');
  return url;
}

function required(info: Readonly<Record<string, string>>, field: string): string {
  const value = info[field]?.trim();
  if (!value) throw badField(field, 'missing');
  return value;
}

const badField = (field: string, fault: string) => new ConnectorError('badConfig', `${field} is ${fault}`, { details: { field } });
