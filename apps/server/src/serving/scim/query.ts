import { type Static, Type } from 'typebox';
import type { ResourceKind } from './protocol/attributes.ts';
import { type Filter, type Json, matches } from './protocol/filter.ts';

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

/** A value that the filter wants an attribute to equal, so that an index can find it; other rows cannot match. */
export function wantedOf(filter: Filter | undefined, name: string): string | undefined {
  if (filter?.is === 'and') return filter.all.map((one) => wantedOf(one, name)).find((value) => value !== undefined);
  if (filter?.is !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined;
  return filter.path.toLowerCase() === name.toLowerCase() ? filter.value : undefined;
}

/**
 * Collects one page of the resources that match, and counts all. Pages are read one after another: memory does not grow with the directory.
 */
export async function collect(
  kind: ResourceKind,
  pages: AsyncIterable<readonly Json[]>,
  { filter, startIndex = 1, count }: { filter?: Filter; startIndex?: number | undefined; count?: number | undefined },
) {
  const start = Math.max(1, startIndex);
  const most = Math.min(mostResults, Math.max(0, count ?? mostResults));
  const resources: Json[] = [];
  let total = 0;
  for await (const page of pages)
    for (const resource of page) {
      if (filter && !matches(kind, resource, filter)) continue;
      total++;
      if (total >= start && resources.length < most) resources.push(resource);
    }
  return { total, start, resources };
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
