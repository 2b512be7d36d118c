import { ConnectorError } from '../../../core/error.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, type GraphItem, Version, addressOf, pageOf } from '../api.ts';

/** ms for all of it. */
const patience = 30_000;

/**
 * Takes back a write whose bytes did not arrive as they were sent: a new file is deleted, an old one gets the version back that it had. Nothing is done when
 * somebody has written since. That the write has failed is told in any case, so that a failure here is not.
 */
export async function undoWrite(graph: Graph, written: GraphItem, before: GraphItem | undefined): Promise<void> {
  const signal = AbortSignal.timeout(patience);
  const url = addressOf(written.facts.inside);
  const { eTag } = written.facts;
  try {
    if (!before) {
      const headers = { ...(eTag !== undefined && { 'if-match': eTag }) };
      return await graph.done({ method: 'DELETE', url, headers, signal });
    }
    const now = await graph.json(DriveItem, { method: 'GET', url, query: { $select: 'id,eTag' }, signal });
    if (now.eTag !== eTag) return;
    const { value } = await graph.json(pageOf(Version), { method: 'GET', url: `${url}/versions`, signal });
    // The newest comes first, and is the damaged one.
    const version = value.find(({ lastModifiedDateTime }) => lastModifiedDateTime === before.facts.changed) ?? value[1];
    if (version) await graph.done({ method: 'POST', url: `${url}/versions/${encodeURIComponent(version.id)}/restoreVersion`, signal });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}
