import { parentOf } from '@sheaf/connectors';
import { Type } from 'typebox';
import { entryAt } from '#/files/items/entry-at.ts';
import type { Links } from '#/files/items/open-item.ts';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import { openEnds } from '../rows/ends.ts';
import type { ItemStore } from '../rows/item-store.ts';
import type { TransferStore } from '../rows/store.ts';
import { removeEmptied, versionsFolder } from './place.ts';

interface Deps {
  readonly links: Links;
  readonly transfers: TransferStore;
  readonly items: ItemStore;
  readonly enqueue: (job: JobRequest) => Promise<unknown>;
}

const kind = 'transfers.removeVersions';
const window = 200;
/** Transfers whose versions are removed in one sweep. */
const transfersAtOnce = 100;
/** ms for removing one version. */
const timeout = 60_000;

/** Removes what transfers have replaced or deleted and kept: once they can no longer be undone, or by the rules of their schedule. */
export function createVersionSweep({ links, transfers, items, enqueue }: Deps) {
  const job: JobHandler = defineJob({
    kind,
    payload: Type.Object({ transferId: Type.String() }),
    async run({ scope, payload: { transferId } }) {
      const transfer = await transfers.find(scope, transferId);
      if (!transfer) return;
      for (let after = 0; ;) {
        const rows = await items.versions(transferId, after, window);
        for (const { seq, source, version } of rows) {
          after = seq;
          if (version === null || !version.includes(`/${versionsFolder}/`)) continue;
          const signal = AbortSignal.timeout(timeout);
          const { connector } = (await openEnds(links, transfer, source)).to;
          if (await entryAt(connector, version, signal)) await connector.remove?.(version, { signal });
          await removeEmptied(connector, parentOf(version), signal);
          await items.plan(transferId, seq, { version: null });
        }
        if (rows.length < window) return;
      }
    },
  });
  const remove = async (accountId: string, transferId: string): Promise<void> =>
    void (await enqueue({ scope: accountId, kind, payload: { transferId }, key: transferId, priority: 'low' }));
  return {
    job,
    /** Has everything removed that the transfer has kept. */
    remove,
    /** Has the versions removed of transfers without a schedule that ended before that time, in epoch milliseconds. */
    async sweep(before: number): Promise<void> {
      for (const { id, accountId } of await transfers.withVersions(before, transfersAtOnce)) await remove(accountId, id);
    },
  };
}
