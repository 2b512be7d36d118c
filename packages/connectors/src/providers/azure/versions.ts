import type { Body, CallOptions } from '../../core/connector.ts';
import { ConnectorError, isKind } from '../../core/error.ts';
import { type KeptVersion, type VersionReadOptions, mostVersions } from '../../core/replacing.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../kit/concurrency/retry-busy.ts';
import type { HiddenObject, HiddenPage, ObjectVersions } from '../../kit/object-store/object-versions.ts';
import { type BlobState, objectOfHeaders } from './api.ts';
import type { AzureClient } from './client.ts';
import { createDeleted } from './deleted.ts';
import { createKept } from './kept.ts';
import { namesWithStates, pageOfStates } from './listing.ts';

/** Which state of a blob: the present one, a version, or a snapshot. */
export type OfBlob = Readonly<Record<string, string>>;
type Conditions = Readonly<Record<string, string>>;

interface Deps {
  readonly client: AzureClient;
  readonly pageSize: number;
  readonly headersOf: (key: string, ask: CallOptions, of?: OfBlob) => Promise<Readonly<Record<string, string>>>;
  /** Copies a version or a snapshot to its own name. */
  readonly copy: (key: string, of: OfBlob, ask: CallOptions, conditions?: Conditions) => Promise<void>;
  readonly read: (key: string, of: OfBlob, ask: VersionReadOptions) => Promise<Body>;
}

/** Milliseconds by which the clock of the server that answers may be before that of the one that stores. */
const clocksDiffer = 1000;

/**
 * Versions of an account with blob versioning (https://learn.microsoft.com/azure/storage/blobs/versioning-overview), and otherwise what soft delete
 * keeps. A deleted blob leaves no marker of its own: as long as nothing else has its name, a listing has the name with a `VersionId` that is the time of
 * the deletion. Afterwards only the version tells what it was.
 */
export function createVersions({ client, pageSize, headersOf, copy, read }: Deps): ObjectVersions {
  const kept = createKept(client);
  const deleted = createDeleted({ client, pageSize, copySnapshot: (key, snapshot, ask) => copy(key, { snapshot }, ask) });

  async function* namesOf(prefix: string, include: readonly ('versions' | 'deletedwithversions')[], ask: CallOptions) {
    try {
      yield* namesWithStates(client, { ...ask, prefix, include, size: pageSize });
    } catch (error) {
      if (!isKind(error, 'unsupported')) throw error;
    }
  }

  async function versionsOf(key: string, ask: CallOptions): Promise<readonly KeptVersion[]> {
    // A blob's own versions come before those of longer names.
    for await (const names of namesOf(key, ['versions'], ask))
      for (const states of names) return states[0]?.object.key === key ? versionsIn(states).slice(0, mostVersions) : [];
    return [];
  }

  /** Whether the present blob is a copy of that version. */
  async function isBack(key: string, version: string, ask: CallOptions): Promise<boolean> {
    const { 'x-ms-copy-source': source = '', 'x-ms-copy-status': status } = await headersOf(key, ask);
    return status === 'success' && URL.parse(source)?.searchParams.get('versionid') === version;
  }

  async function revealVersion(key: string, version: string, ask: CallOptions): Promise<void> {
    const toFreeName = () => copy(key, { versionid: version }, ask, { 'if-none-match': '*' });
    try {
      await retryWhileBusy(ask.signal, toFreeName, isOutcomeUnknown);
    } catch (error) {
      // What has taken the name stays, unless an earlier try has brought this one back.
      if (!isKind(error, 'alreadyExists')) throw error;
      if (!(await isBack(key, version, ask))) return;
    }
    try {
      const answer = await client.send({ method: 'DELETE', blob: key, query: { versionid: version }, signal: ask.signal });
      await answer.discard();
    } catch (error) {
      // An immutability policy keeps it: the blob is back all the same.
      if (!isKind(error, 'notFound', 'forbidden')) throw error;
    }
  }

  return {
    keeps: async (ask) => (await kept(ask)) !== 'nothing',

    async of({ version, etag }, ask) {
      const keeps = await kept(ask);
      if (keeps === 'versions') return version;
      return keeps === 'deleted' ? etag : undefined;
    },

    async restore(key, version, ask) {
      if (!isVersion(version)) return deleted.restore(key, version, ask);
      await ofVersion(version, () => headersOf(key, ask, { versionid: version }));
      await copy(key, { versionid: version }, ask);
    },

    async earlier({ key }, ask) {
      const found = await versionsOf(key, ask);
      return found.length === 0 && (await kept(ask)) === 'deleted' ? undefined : found;
    },

    read: (key, version, ask) => ofVersion(version, () => read(key, { versionid: version }, ask)),

    async clock(key, ask) {
      const told = Date.parse((await headersOf(key, ask))['date'] ?? '');
      return (Number.isFinite(told) ? told : Date.now()) - clocksDiffer;
    },

    async *hidden(prefix, ask) {
      if ((await kept(ask)) === 'deleted') yield* deleted.hidden(prefix, ask);
      else for await (const names of namesOf(prefix, ['versions', 'deletedwithversions'], ask)) yield names.flatMap(deletionIn);
    },

    async pageOfHidden(marker, ask): Promise<HiddenPage> {
      const keeps = await kept(ask);
      if (keeps === 'nothing') return { objects: [] };
      if (keeps === 'deleted') return deleted.pageOfHidden(marker, ask);
      const { states, next } = await pageOfStates(client, { ...ask, include: ['deletedwithversions'], size: pageSize, marker });
      const objects = states.filter(({ hasVersionsOnly, isStub }) => hasVersionsOnly && !isStub).flatMap((name) => toHidden(name, name));
      return { objects, ...(next !== undefined && { cursor: next }) };
    },

    async hiddenVersion(key, version, ask) {
      if (!isVersion(version)) return deleted.hiddenContent(key, version, ask);
      try {
        const headers = await headersOf(key, ask, { versionid: version });
        if (headers['x-ms-is-current-version'] === 'true') return undefined;
        return { key, marker: version, version, at: Date.parse(version), size: objectOfHeaders(key, headers)?.size ?? 0 };
      } catch (error) {
        if (isKind(error, 'notFound', 'unsupported')) return undefined;
        throw error;
      }
    },

    async reveal(object, ask) {
      const { key, version } = object;
      if (version !== undefined && isVersion(version)) await revealVersion(key, version, ask);
      else await deleted.reveal(object, ask);
    },
  };
}

/** The deletion of a name, of which the newest version is what it had. */
function deletionIn(states: readonly BlobState[]): HiddenObject[] {
  const name = states.find(({ hasVersionsOnly }) => hasVersionsOnly);
  const newest = states.filter((one) => one !== name).toSorted(byVersion)[0];
  return name && newest ? toHidden(name, newest) : [];
}

/** A deletion whose time is not told belongs to no deletion. */
function toHidden({ object: { key, version: marker = '' } }: BlobState, { object }: BlobState): HiddenObject[] {
  const at = Date.parse(marker);
  return Number.isNaN(at) ? [] : [{ key, marker, at, size: object.size, ...(object.version !== undefined && { version: object.version }) }];
}

/** Versions that are not present, the newest first. */
function versionsIn(states: readonly BlobState[]): KeptVersion[] {
  return states
    .filter(({ isCurrent }) => !isCurrent)
    .toSorted(byVersion)
    .flatMap(({ object: { version, size, modified } }) =>
      version === undefined ? [] : [{ id: version, size, ...(modified !== undefined && { modified }) }],
    );
}

/** Versions are times of one length. */
const byVersion = ({ object: a }: BlobState, { object: b }: BlobState): number => ((a.version ?? '') < (b.version ?? '') ? 1 : -1);

const isVersion = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z$/.test(text);

/** Rejects with `notFound` for an id that is no version. */
async function ofVersion<T>(version: string, ask: () => Promise<T>): Promise<T> {
  const missing = (cause?: unknown) => new ConnectorError('notFound', 'the blob has no such version', { cause });
  if (!isVersion(version)) throw missing();
  try {
    return await ask();
  } catch (error) {
    throw isKind(error, 'unsupported') ? missing(error) : error;
  }
}
