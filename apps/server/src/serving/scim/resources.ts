import { createKeyedMutex } from '@sheaf/connectors';
import type { Speaker } from './membership.ts';
import { type Columns, type Condition, narrow } from './narrowing.ts';
import type { ResourceKind } from './protocol/attributes.ts';
import { ScimError } from './protocol/errors.ts';
import { type Filter, type Json, matches, parseFilter } from './protocol/filter.ts';
import { applyPatch } from './protocol/patch.ts';
import { type Resource, readResource } from './protocol/resource.ts';
import { type Query, collect, concerns, namesVersion, timeOf, versionTag, windowOf } from './query.ts';
import type { Stored } from './store.ts';

/** What the rows of every kind have. */
export interface Row {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** One kind of resource: how its rows are found, shown and changed. */
export interface Rows<R extends Row> {
  readonly kind: ResourceKind;
  /** Says that there is none. */
  readonly gone: string;
  find(orgId: string, id: string): Promise<R | undefined>;
  readonly columns: Columns;
  /** All rows that meet the condition, in pages. */
  pages(orgId: string, condition: Condition | undefined): AsyncIterable<readonly R[]>;
  /** Rows that meet the condition in the order of their ids, and how many there are. */
  window(orgId: string, condition: Condition | undefined, offset: number, limit: number): Promise<{ total: number; rows: readonly R[] }>;
  /** The attributes of a row, but the joined one, `id`, `schemas` and `meta`. */
  own(row: R): Json;
  /** The attributes of each row, but `id`, `schemas` and `meta`. */
  shown(rows: readonly R[]): Promise<Json[]>;
  /** What clients may write of a row. */
  written(row: R): Promise<Json>;
  insert(speaker: Speaker, resource: Resource): Promise<R>;
  replace(speaker: Speaker, row: R, resource: Resource): Promise<R>;
  remove(speaker: Speaker, row: R): Promise<void>;
}

export interface Resources {
  list(speaker: Speaker, query: Query): Promise<{ total: number; start: number; resources: Json[] }>;
  get(speaker: Speaker, id: string): Promise<Json>;
  create(speaker: Speaker, body: unknown): Promise<Json>;
  /** `condition` is the value of If-Match; 412 when it names another version. */
  replace(speaker: Speaker, id: string, body: unknown, condition?: string): Promise<Json>;
  patch(speaker: Speaker, id: string, body: unknown, condition?: string): Promise<Json>;
  remove(speaker: Speaker, id: string, condition?: string): Promise<void>;
}

/** Rows whose groups or members are in memory together: a group may have ten thousand members. */
const joinedAtOnce = 20;
/** Most attempts to change a resource that others are changing at the same time. */
const mostTries = 20;

/** The operations of RFC 7644 on one kind of resource, below `address` (`https://…/scim/v2`). Rejects with ScimError. */
export function createResources<R extends Row>(rows: Rows<R>, address: string): Resources {
  const { kind, gone } = rows;
  /** One piece of work of an organisation that compares many values at a time, so that its directory leaves the processor to others. */
  const inTurn = createKeyedMutex();

  async function shown(page: readonly R[]): Promise<Json[]> {
    const bodies = await rows.shown(page);
    return page.map((row, at) => whole(row, bodies[at] ?? {}));
  }
  const whole = ({ id, version, createdAt, changedAt }: R, body: Json): Json => ({
    schemas: [kind.schema],
    id,
    ...body,
    meta: {
      resourceType: kind.name,
      created: timeOf(createdAt),
      lastModified: timeOf(changedAt),
      location: `${address}${kind.endpoint}/${id}`,
      version: versionTag(version),
    },
  });
  const one = async (row: R): Promise<Json> => (await shown([row]))[0] ?? {};

  /** Rows with what the filter compares. */
  async function* pages(orgId: string, filter: Filter, condition: Condition | undefined): AsyncGenerator<[R, Json][]> {
    const needsJoined = concerns(filter, kind, rows.columns.joined);
    for await (const page of rows.pages(orgId, condition)) {
      const size = needsJoined ? joinedAtOnce : page.length;
      for (let at = 0; at < page.length; at += size) {
        const part = page.slice(at, at + size);
        const resources = needsJoined ? await shown(part) : part.map((row) => whole(row, rows.own(row)));
        yield part.map((row, index) => [row, resources[index] ?? {}]);
      }
    }
  }

  async function find({ orgId }: Speaker, id: string, condition?: string): Promise<R> {
    const row = await rows.find(orgId, id);
    if (!row) throw new ScimError(404, gone);
    if (condition !== undefined && !namesVersion(condition, row.version)) throw changed();
    return row;
  }

  /** Directories change a group by several requests at a time; one that names no version goes for the newest. */
  async function change(speaker: Speaker, id: string, condition: string | undefined, next: (row: R) => Promise<Resource>): Promise<Json> {
    for (let tries = 1; ; tries++) {
      const row = await find(speaker, id, condition);
      try {
        return await one(await rows.replace(speaker, row, await next(row)));
      } catch (error) {
        const hasChanged = error instanceof ScimError && error.status === hasChangedSince;
        if (!hasChanged || condition !== undefined || tries === mostTries) throw error;
      }
    }
  }

  return {
    async list({ orgId }, query) {
      const window = windowOf(query);
      const { start, most } = window;
      const filter = query.filter === undefined ? undefined : parseFilter(query.filter);
      const narrowed = filter && narrow(kind, rows.columns, filter);
      const found =
        filter && !narrowed?.isExact
          ? await inTurn(orgId, () =>
              collect(pages(orgId, filter, narrowed?.condition), (resource) => matches(kind, resource, filter), window),
            )
          : await rows.window(orgId, narrowed?.condition, start - 1, most);
      return { total: found.total, start, resources: await shown(found.rows) };
    },
    get: async (speaker, id) => one(await find(speaker, id)),
    create: async (speaker, body) => one(await rows.insert(speaker, readResource(kind, body))),
    replace: (speaker, id, body, condition) => change(speaker, id, condition, async () => readResource(kind, body)),
    patch: (speaker, id, body, condition) =>
      change(speaker, id, condition, async (row) => {
        const written = await rows.written(row);
        return inTurn(speaker.orgId, () => applyPatch(kind, written, body));
      }),
    remove: async (speaker, id, condition) => rows.remove(speaker, await find(speaker, id, condition)),
  };
}

/** Throws for what could not be stored; `taken` says which value another resource has. */
export function refuse(stored: Stored, taken: string): void {
  if (stored === 'taken') throw new ScimError('uniqueness', taken);
  if (stored === 'changed') throw changed();
}

const hasChangedSince = 412;
const changed = (): ScimError => new ScimError(hasChangedSince, 'It has changed since.');
