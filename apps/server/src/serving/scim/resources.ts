import type { Speaker } from './membership.ts';
import type { ResourceKind } from './protocol/attributes.ts';
import { ScimError } from './protocol/errors.ts';
import { type Filter, type Json, parseFilter } from './protocol/filter.ts';
import { applyPatch } from './protocol/patch.ts';
import { type Resource, readResource } from './protocol/resource.ts';
import { type Query, collect, namesVersion, timeOf, versionTag } from './query.ts';
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
  pages(orgId: string, filter: Filter | undefined): AsyncIterable<readonly R[]>;
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
    return page.map(({ id, version, createdAt, changedAt }, at) => ({
      schemas: [kind.schema],
      id,
      ...bodies[at],
      meta: {
        resourceType: kind.name,
        created: timeOf(createdAt),
        lastModified: timeOf(changedAt),
        location: `${address}${kind.endpoint}/${id}`,
        version: versionTag(version),
      },
    }));
  }
  const one = async (row: R): Promise<Json> => (await shown([row]))[0] ?? {};

  async function* pages(orgId: string, filter: Filter | undefined): AsyncGenerator<Json[]> {
    for await (const page of rows.pages(orgId, filter)) yield shown(page);
  }

  async function find({ orgId }: Speaker, id: string, condition?: string): Promise<R> {
    const row = await rows.find(orgId, id);
    if (!row) throw new ScimError(404, gone);
    if (condition !== undefined && !namesVersion(condition, row.version)) throw changed();
    return row;
  }

  return {
    async list({ orgId }, { filter: text, startIndex, count }) {
      const filter = text === undefined ? undefined : parseFilter(text);
      return collect(kind, pages(orgId, filter), { ...(filter && { filter }), startIndex, count });
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
