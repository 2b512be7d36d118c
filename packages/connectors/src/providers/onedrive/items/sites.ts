import type { Static } from 'typebox';
import type { CallOptions } from '../../../core/connector.ts';
import { isKind } from '../../../core/error.ts';
import type { ItemSource } from '../../../kit/id-tree/item-tree.ts';
import type { Graph } from '../account/client.ts';
import { type GraphItem, type ItemFacts, Library, Site, driveOf } from '../api.ts';
import { childNamed, childrenOf, rootOf } from './items.ts';

const nowhere = { drive: '', id: '' };
const top: GraphItem = { id: 'sites', name: '', kind: 'folder', entry: {}, facts: { level: 'sites', self: nowhere, inside: nowhere } };

const toItem = ({ id, displayName, name }: Static<typeof Site>): GraphItem => ({
  id,
  name: [displayName, name].find(Boolean) ?? id,
  kind: 'folder',
  entry: {},
  facts: { level: 'site', self: nowhere, inside: nowhere },
});

/** Sorted, so that items of one name are adjacent. */
const sorted = (items: Iterable<GraphItem>): GraphItem[] =>
  [...items].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));

/** Returns the sites that the account follows and those that a wildcard search finds: neither list is complete. */
async function sitesOf(graph: Graph, { signal }: CallOptions): Promise<GraphItem[]> {
  const sites = new Map<string, GraphItem>();
  const take = async (url: string, query: Readonly<Record<string, string>>) => {
    for await (const page of graph.pages(Site, { url, query, signal }))
      for (const site of page) if (site.isPersonalSite !== true) sites.set(site.id, toItem(site));
  };
  await take('/sites', { search: '*' });
  try {
    await take('/me/followedSites', {});
  } catch (error) {
    // Accounts without a drive follow no sites, and the request is refused.
    if (!isKind(error, 'forbidden', 'notFound', 'unsupported')) throw error;
  }
  return sorted(sites.values());
}

async function librariesOf(graph: Graph, site: GraphItem, { signal }: CallOptions): Promise<GraphItem[]> {
  const libraries: GraphItem[] = [];
  const request = { url: `/sites/${encodeURIComponent(site.id)}/drives`, query: { $select: 'id,name' }, signal };
  for await (const page of graph.pages(Library, request))
    libraries.push(...page.map(({ id, name }) => rootOf(driveOf(id), name ? name : id)));
  return sorted(libraries);
}

/** Sites, their document libraries, and the files inside. Sites may have equal names. */
export function siteItems(graph: Graph): ItemSource<ItemFacts> {
  async function* children(folder: GraphItem, ask: CallOptions): AsyncGenerator<readonly GraphItem[]> {
    const { level, inside } = folder.facts;
    if (level === 'sites') yield await sitesOf(graph, ask);
    else if (level === 'site') yield await librariesOf(graph, folder, ask);
    else yield* childrenOf(graph, inside, ask);
  }
  return {
    root: top,
    children,
    duplicates: 'adjacent',
    async named(folder, name, ask) {
      const { level, inside } = folder.facts;
      if (level === 'drive' || level === 'item') {
        const child = await childNamed(graph, inside, name, ask);
        return child ? [child] : [];
      }
      const found: GraphItem[] = [];
      for await (const batch of children(folder, ask)) found.push(...batch.filter((item) => item.name === name));
      return found;
    },
  };
}
