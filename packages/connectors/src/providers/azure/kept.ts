import type { CallOptions } from '../../core/connector.ts';
import { keptByBucket } from '../../kit/object-store/object-versions.ts';
import type { AzureClient } from './client.ts';
import { pageOfStates } from './listing.ts';

/** What the account keeps of a deleted blob: a version, the blob itself by soft delete, or nothing. */
export type Kept = 'versions' | 'deleted' | 'nothing';

/** Blobs and versions looked at. */
const lookedAt = 100;

/**
 * Tells what the account keeps at present; asks at most once a minute. No request of the Blob service tells whether versioning is enabled: what was
 * written last, among the first blobs of the container and through this client, has a version or has none. Accounts with a hierarchical namespace
 * bring deleted blobs back in a way of their own, and are taken for accounts that keep nothing, and so is one that may not be asked.
 */
export function createKept(client: AzureClient): (ask: CallOptions) => Promise<Kept> {
  const isVersioned = keptByBucket(
    (ask) => newestIsVersion(client, ask),
    () => client.lastWrite()?.isVersioned,
  );
  const isSoftDeleted = keptByBucket((ask) => keepsDeleted(client, ask));
  return async (ask) => {
    if (await isVersioned(ask)) return 'versions';
    return (await isSoftDeleted(ask)) ? 'deleted' : 'nothing';
  };
}

async function newestIsVersion(client: AzureClient, { signal }: CallOptions): Promise<boolean> {
  let { at, isVersioned } = client.lastWrite() ?? { at: 0, isVersioned: false };
  const { states } = await pageOfStates(client, { include: ['versions', 'deletedwithversions'], size: lookedAt, signal });
  for (const { object, hasVersionsOnly } of states) {
    if (hasVersionsOnly && object.version === undefined) continue;
    const written = object.version === undefined ? (object.modified ?? 0) * 1000 : Date.parse(object.version);
    if (written <= at) continue;
    at = written;
    isVersioned = object.version !== undefined;
  }
  return isVersioned;
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-service-properties and get-account-information */
async function keepsDeleted(client: AzureClient, { signal }: CallOptions): Promise<boolean> {
  const query = { restype: 'service', comp: 'properties' };
  const properties = await client.send({ method: 'GET', ofAccount: true, query, signal });
  const policy = /<DeleteRetentionPolicy>(.*?)<\/DeleteRetentionPolicy>/s.exec(await properties.text())?.[1] ?? '';
  if (!/<Enabled>\s*true\s*<\/Enabled>/.test(policy)) return false;
  const account = await client.send({ method: 'GET', query: { ...query, restype: 'account' }, signal });
  await account.discard();
  return account.headers['x-ms-is-hns-enabled'] !== 'true';
}
