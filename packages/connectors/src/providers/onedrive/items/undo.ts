import { deadlines } from '../../../core/deadlines.ts';
import { ConnectorError } from '../../../core/error.ts';
import type { Graph } from '../account/client.ts';
import { DriveItem, type GraphItem, Version, addressOf, pageOf } from '../api.ts';

/**
 * Undoes a write whose bytes arrived damaged: deletes a new file, or restores the previous version. Does nothing when the file was changed
 * since. Failures are ignored, because the write is reported as failed in any case.
 */
export async function undoWrite(graph: Graph, written: GraphItem, before: GraphItem | undefined): Promise<void> {
  const signal = AbortSignal.timeout(deadlines.aside);
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
    // The newest version comes first and is the damaged one.
    const version = value.find(({ lastModifiedDateTime }) => lastModifiedDateTime === before.facts.changed) ?? value[1];
    if (version) await graph.done({ method: 'POST', url: `${url}/versions/${encodeURIComponent(version.id)}/restoreVersion`, signal });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}
