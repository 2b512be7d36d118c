import type { Speaker } from './membership.ts';
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
  /** All rows in pages; fewer where an index finds those that the filter can match. */
  pages(orgId: string, filter: Filter): AsyncIterable<readonly R[]>;
  /** Rows in the order of their ids, and how many there are. */
  window(orgId: string, offset: number, limit: number): Promise<{ total: number; rows: readonly R[] }>;
  /** The attribute that comes from other tables. */
  readonly joined: string;
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

/** The operations of RFC 7644 on one kind of resource, below `address` (`https://…/scim/v2`). Rejects with ScimError. */
export function createResources<R extends Row>(rows: Rows<R>, address: string): Resources {
  const { kind, gone } = rows;

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
  async function* pages(orgId: string, filter: Filter): AsyncGenerator<[R, Json][]> {
    const needsJoined = concerns(filter, kind, rows.joined);
    for await (const page of rows.pages(orgId, filter)) {
      const resources = needsJoined ? await shown(page) : page.map((row) => whole(row, rows.own(row)));
      yield page.map((row, at) => [row, resources[at] ?? {}]);
    }
  }

  async function find({ orgId }: Speaker, id: string, condition?: string): Promise<R> {
    const row = await rows.find(orgId, id);
    if (!row) throw new ScimError(404, gone);
    if (condition !== undefined && !namesVersion(condition, row.version)) throw changed();
    return row;
  }

  return {
    async list({ orgId }, query) {
      const window = windowOf(query);
      const { start, most } = window;
      const filter = query.filter === undefined ? undefined : parseFilter(query.filter);
      const found = filter
        ? await collect(pages(orgId, filter), (resource) => matches(kind, resource, filter), window)
        : await rows.window(orgId, start - 1, most);
      return { total: found.total, start, resources: await shown(found.rows) };
    },
    get: async (speaker, id) => one(await find(speaker, id)),
    create: async (speaker, body) => one(await rows.insert(speaker, readResource(kind, body))),
    async replace(speaker, id, body, condition) {
      const row = await find(speaker, id, condition);
      return one(await rows.replace(speaker, row, readResource(kind, body)));
    },
    async patch(speaker, id, body, condition) {
      const row = await find(speaker, id, condition);
      return one(await rows.replace(speaker, row, applyPatch(kind, await rows.written(row), body)));
    },
    remove: async (speaker, id, condition) => rows.remove(speaker, await find(speaker, id, condition)),
  };
}

/** Throws for what could not be stored; `taken` says which value another resource has. */
export function refuse(stored: Stored, taken: string): void {
  if (stored === 'taken') throw new ScimError('uniqueness', taken);
  if (stored === 'changed') throw changed();
}

const changed = (): ScimError => new ScimError(412, 'It has changed since.');
