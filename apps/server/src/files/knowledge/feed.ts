import { setTimeout as sleep } from 'node:timers/promises';
import { parentOf } from '@sheaf/connectors';
import type { OpenLink } from '#/links/connections/connections.ts';
import type { KnowledgeStore } from './store.ts';

interface Deps {
  readonly store: KnowledgeStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Milliseconds between two calls. */
  readonly pause: number;
}

/** Changed folders that are read at once; of more, all known folders are read again one after the other. */
const mostChanged = 50;

/** Asks a source for changes, and looks into the known folders concerned. A report leads to a look; it is not taken for true. */
export function createFeed({ store, now, pause }: Deps) {
  return async (
    linkId: string,
    connector: OpenLink['connector'],
    since: string | undefined,
    look: (path: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    const begunAt = now();
    const changes = await connector.changes?.(since, { signal });
    if (!changes) return;
    const folders: string[] = [];
    let isTooMuch = changes.incomplete;
    if (since !== undefined) {
      for (const path of new Set(changes.items.map((item) => parentOf(item.path)))) {
        if (!(await store.isListed(linkId, path))) continue;
        if (folders.length === mostChanged) {
          isTooMuch = true;
          break;
        }
        folders.push(path);
      }
    }
    for (const [index, path] of folders.entries()) {
      if (index > 0) await sleep(pause, undefined, { signal });
      await look(path);
    }
    // The cursor is stored last, so that the source reports the changes again after an interruption.
    await store.save(linkId, { cursor: changes.cursor, ...(isTooMuch && { staleBefore: begunAt, nextAt: now() }) });
  };
}
