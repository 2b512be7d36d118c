import type { Body, CallOptions } from '../../../core/connector.ts';
import { ConnectorError, isKind } from '../../../core/error.ts';
import { type KeptVersion, type VersionReadOptions, mostVersions } from '../../../core/replacing.ts';
import { isOutcomeUnknown, retryWhileBusy } from '../../../kit/concurrency/retry-busy.ts';
import { type HiddenObject, type HiddenPage, type ObjectVersions, keptByBucket } from '../../../kit/object-store/object-versions.ts';
import type { Api } from '../../../kit/rest/api.ts';
import { BucketVersioning, type CloudObject, ObjectList, isName, toObject, versionFields } from './api.ts';

type OfGeneration = CallOptions & { readonly generation: string };

interface Deps {
  readonly api: Api;
  /** The bucket's path of the API. */
  readonly path: string;
  readonly pageSize: number;
  readonly pathOf: (key: string) => string;
  /** Copies a generation to its own name: where no object has it, unless it `replaces` that object. */
  readonly copy: (key: string, ask: OfGeneration & { readonly replaces?: boolean }) => Promise<void>;
  /** Whether the present object has the bytes of that generation. */
  readonly isBack: (key: string, ask: OfGeneration) => Promise<boolean>;
  /** Deletes a generation for good. */
  readonly remove: (key: string, ask: OfGeneration) => Promise<void>;
  readonly read: (key: string, ask: VersionReadOptions & OfGeneration) => Promise<Body>;
}

/** All generations of one name, the newest first. */
type Generations = readonly CloudObject[];

/**
 * Generations of a bucket with versioning: https://cloud.google.com/storage/docs/object-versioning. A deleted object leaves no marker: its name has
 * noncurrent generations only.
 */
export function createVersions({ api, path, pageSize, pathOf, copy, isBack, remove, read }: Deps): ObjectVersions {
  /** Pages of generations by name, all those of a name together, which may end on a later page. */
  async function* pagesOf(query: Readonly<Record<string, string>>, { signal }: CallOptions) {
    let pageToken: string | undefined;
    do {
      const more = { versions: true, maxResults: pageSize, fields: versionFields, pageToken };
      const ask = { method: 'GET', url: `${path}/o`, query: { ...query, ...more }, signal };
      const { items = [], nextPageToken } = await retryWhileBusy(signal, () => api.json(ObjectList, ask), isOutcomeUnknown);
      yield { items, isLast: !nextPageToken };
      pageToken = nextPageToken;
    } while (pageToken);
  }

  /** The names of pages. The last name of a page comes with the next one, where the rest of its generations may be. */
  async function* namesOf(query: Readonly<Record<string, string>>, ask: CallOptions) {
    let open: CloudObject[] = [];
    for await (const { items, isLast } of pagesOf(query, ask)) {
      const names = [...Map.groupBy([...open, ...items], ({ name }) => name).values()];
      open = isLast ? [] : (names.pop() ?? []);
      yield { names: names.map(newestFirst), next: isLast ? undefined : open[0]?.name };
    }
  }

  return {
    /** https://cloud.google.com/storage/docs/json_api/v1/buckets/get */
    keeps: keptByBucket(async ({ signal }) => {
      const { versioning } = await api.json(BucketVersioning, { method: 'GET', url: path, query: { fields: 'versioning' }, signal });
      return versioning?.enabled === true;
    }),
    of: ({ etag }) => etag,

    restore: async (key, version, { signal }) => copy(key, { generation: generationIn(version), replaces: true, signal }),

    async earlier({ key, etag }, ask) {
      // A name's own generations come before those of longer names.
      for await (const { names } of namesOf({ prefix: key }, ask)) {
        const [first] = names;
        if (!first) continue;
        const own = first[0]?.name === key ? first : [];
        return own
          .filter(({ generation }) => generation !== etag)
          .slice(0, mostVersions)
          .map(toVersion);
      }
      return [];
    },

    read: async (key, version, ask) => read(key, { ...ask, generation: generationIn(version) }),

    async clock(key, { signal }) {
      const response = await api.send({ method: 'GET', url: pathOf(key), query: { fields: 'generation' }, signal });
      await response.discard();
      const told = Date.parse(response.headers['date'] ?? '');
      return Number.isFinite(told) ? told : Date.now();
    },

    async *hidden(prefix, ask) {
      if (!isName(prefix)) return;
      for await (const { names } of namesOf({ prefix }, ask)) yield names.flatMap(deletionsIn);
    },

    async pageOfHidden(cursor, ask): Promise<HiddenPage> {
      for await (const { names, next } of namesOf(cursor === undefined ? {} : { startOffset: cursor }, ask)) {
        // A page may hold nothing but generations of one name.
        if (names.length === 0 && next !== undefined) continue;
        // A name that was taken again has left the bin.
        const objects = names.flatMap((name) => deletionsIn(name.slice(0, 1)));
        return { objects, ...(next !== undefined && { cursor: next }) };
      }
      return { objects: [] };
    },

    async reveal({ key, marker }, ask) {
      const of = { ...ask, generation: marker };
      try {
        await copy(key, of);
      } catch (error) {
        // An earlier try has brought it back and deleted it.
        if (isKind(error, 'notFound')) return;
        // What has taken the name stays, unless an earlier try has brought this one back.
        if (!isKind(error, 'alreadyExists')) throw error;
        if (!(await isBack(key, of))) return;
      }
      try {
        await remove(key, of);
      } catch (error) {
        // A retention policy keeps it: the object is back all the same.
        if (!isKind(error, 'notFound', 'forbidden')) throw error;
      }
    },
  };
}

/** The generations that a deletion ended. One that was replaced ended when the next one began. */
function deletionsIn(generations: Generations): HiddenObject[] {
  return generations.flatMap(({ name, generation, size, timeDeleted }, index) => {
    const at = Date.parse(timeDeleted ?? '');
    const next = Date.parse(generations[index - 1]?.timeCreated ?? '');
    return Number.isNaN(at) || next <= at ? [] : [{ key: name, marker: generation, at, size: Number(size) }];
  });
}

function newestFirst(generations: Generations): Generations {
  return generations.toSorted((a, b) => Number(BigInt(b.generation) - BigInt(a.generation)));
}

function toVersion(object: CloudObject): KeptVersion {
  const { size, modified } = toObject(object);
  return { id: object.generation, size, ...(modified !== undefined && { modified }) };
}

/** The generation that a version's id is; throws `notFound` for other texts. */
function generationIn(version: string): string {
  if (/^\d{1,19}$/.test(version)) return version;
  throw new ConnectorError('notFound', 'the object has no such version');
}
