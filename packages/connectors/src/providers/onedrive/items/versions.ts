import type { CallOptions, Entry } from '../../../core/connector.ts';
import { ConnectorError } from '../../../core/error.ts';
import { type Versions, mostVersions } from '../../../core/replacing.ts';
import { partOf, rangeHeader } from '../../../kit/http/part-of.ts';
import type { Graph } from '../account/client.ts';
import { type GraphItem, Version, addressOf, pageOf } from '../api.ts';

interface Deps {
  readonly graph: Graph;
  /** Returns the file at the path, revalidated. */
  readonly freshFile: (path: string, ask: CallOptions) => Promise<GraphItem>;
  readonly entryOf: (path: string, item: GraphItem) => Entry;
}

/** Versions of files, which all drives and most libraries keep: https://learn.microsoft.com/graph/api/driveitemversion-restore */
export function createVersions({ graph, freshFile, entryOf }: Deps): Required<Versions> {
  /** Returns the versions, newest first; that one is the present content. */
  const versionsOf = async (item: GraphItem, { signal }: CallOptions) =>
    (await graph.json(pageOf(Version), { method: 'GET', url: `${addressOf(item.facts.inside)}/versions`, signal })).value;

  return {
    async versionOf(path, ask) {
      const [current] = await versionsOf(await freshFile(path, ask), ask);
      return current?.id;
    },
    async restoreVersion(path, versionId, ask) {
      const item = await freshFile(path, ask);
      const earlier = (await versionsOf(item, ask)).slice(1);
      if (!earlier.some(({ id }) => id === versionId)) throw new ConnectorError('notFound', 'the service no longer has this version');
      const url = `${addressOf(item.facts.inside)}/versions/${encodeURIComponent(versionId)}/restoreVersion`;
      await graph.done({ method: 'POST', url, signal: ask.signal });
      return entryOf(path, await freshFile(path, ask));
    },
    async listVersions(path, ask) {
      const [, ...earlier] = await versionsOf(await freshFile(path, ask), ask);
      return earlier.slice(0, mostVersions).map(({ id, size, lastModifiedDateTime }) => {
        const modified = Date.parse(lastModifiedDateTime ?? '');
        return { id, ...(typeof size === 'number' && { size }), ...(Number.isFinite(modified) && { modified: modified / 1000 }) };
      });
    },
    /**
     * The bytes come from another host, by a signed URL to which the service redirects:
     * https://learn.microsoft.com/graph/api/driveitemversion-get-contents
     */
    async readVersion(path, versionId, { range, signal }) {
      const item = await freshFile(path, { signal });
      const url = `${addressOf(item.facts.inside)}/versions/${encodeURIComponent(versionId)}/content`;
      return partOf(await graph.send({ method: 'GET', url, headers: rangeHeader(range), signal }), range);
    },
  };
}
