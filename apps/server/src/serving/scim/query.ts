import { setImmediate } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { type ResourceKind, resolvePath } from './protocol/attributes.ts';
import type { Filter, Json } from './protocol/filter.ts';

/** Milliseconds of comparing after which others are served. */
const turnLasts = 20;

/** Most resources in one answer. */
export const mostResults = 200;

/** What a client asks a list for (RFC 7644, section 3.4.2.4). */
export const Query = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 8192 })),
  startIndex: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
  attributes: Type.Optional(Type.String({ maxLength: 4096 })),
  excludedAttributes: Type.Optional(Type.String({ maxLength: 4096 })),
});
export type Query = Static<typeof Query>;

/** Whether the filter compares that attribute, or a part of it. */
export function concerns(filter: Filter, kind: ResourceKind, name: string): boolean {
  if ('all' in filter) return filter.all.some((one) => concerns(one, kind, name));
  if (filter.is === 'not') return concerns(filter.filter, kind, name);
  return resolvePath(kind, filter.path)?.attribute.name === name;
}

/** Which resources a list shows: the number of the first, from 1, and how many at most. */
export const windowOf = ({ startIndex = 1, count = mostResults }: Pick<Query, 'startIndex' | 'count'>) => ({
  start: Math.max(1, startIndex),
  most: Math.min(mostResults, Math.max(0, count)),
});

/**
 * Collects the rows of one window whose resources match, and counts all that do. Pages are read one after another, so that memory does not grow with the
 * directory, and others are served meanwhile.
 */
export async function collect<R>(
  pages: AsyncIterable<readonly (readonly [row: R, resource: Json])[]>,
  isMatch: (resource: Json) => boolean,
  { start, most }: ReturnType<typeof windowOf>,
): Promise<{ total: number; rows: R[] }> {
  const rows: R[] = [];
  let total = 0;
  for await (const page of pages) {
    let turnBegan = performance.now();
    for (const [row, resource] of page) {
      if (performance.now() - turnBegan > turnLasts) {
        await setImmediate();
        turnBegan = performance.now();
      }
      if (!isMatch(resource)) continue;
      total++;
      if (total >= start && rows.length < most) rows.push(row);
    }
    await setImmediate();
  }
  return { total, rows };
}

/** The body of a list (RFC 7644, section 3.4.2). */
export const listBody = (total: number, start: number, resources: readonly Json[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: start,
  itemsPerPage: resources.length,
  Resources: resources,
});

export const versionTag = (version: number): string => `W/"${version}"`;
/** Whether a condition names the version (RFC 9110, section 13.1); weak tags compare here, as SCIM wants. */
export const namesVersion = (condition: string, version: number): boolean =>
  condition.split(',').some((tag) => ['*', versionTag(version), `"${version}"`].includes(tag.trim()));

/** Epoch seconds as SCIM writes times. */
export const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
