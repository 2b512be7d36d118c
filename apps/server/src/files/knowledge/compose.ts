import { Type } from 'typebox';
import type { Listings } from '#/files/listings/service.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import type { Platform } from '#/platform/compose.ts';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import { createCrawler, idleAfter } from './crawler.ts';
import { createKnowledgeStore } from './store.ts';

interface Deps {
  readonly listings: () => Pick<Listings, 'look'>;
  readonly open: (accountId: string, linkId: string) => Promise<OpenLink>;
}

/** Milliseconds between two notes of one link's use. */
const noteEvery = 30_000;
/** Most links that are given to workers in a minute. */
const mostLinks = 200;

/** Builds the jobs that read folders which nobody has opened, and what tells them which links are in use. */
export function composeKnowledge({ database, background, enqueue }: Platform, { listings, open }: Deps) {
  const store = createKnowledgeStore(database);
  const noted = new Map<string, number>();
  const crawler = createCrawler({ store, listings: { look: (...args) => listings().look(...args) }, open, now: Date.now });

  async function find(): Promise<void> {
    const now = Date.now();
    const due = await store.due(now, now - idleAfter, mostLinks);
    if (due.length === 0) return;
    await enqueue(
      ...due.map(({ linkId, accountId, nextAt }) => ({
        scope: linkId,
        kind: 'knowledge.link',
        payload: { accountId },
        // A link that is still due after its run has another time.
        key: String(nextAt),
        priority: 'low' as const,
        lane: { name: `knowledge:${linkId}`, limit: 1 },
      })),
    );
  }

  const handlers: JobHandler[] = [
    defineJob({ kind: 'knowledge.find', payload: Type.Object({}), schedule: '* * * * *', run: find }),
    defineJob({
      kind: 'knowledge.link',
      payload: Type.Object({ accountId: Type.String() }),
      run: ({ scope, payload: { accountId }, signal }) => crawler.run(accountId, scope, signal),
    }),
  ];

  return {
    handlers,
    /** Notes that a user looks into the link. */
    used(linkId: string): void {
      const now = Date.now();
      if (now - (noted.get(linkId) ?? -Infinity) < noteEvery) return;
      if (noted.size >= 10_000) noted.clear();
      noted.set(linkId, now);
      background.start('note the use of a link', () => store.used(linkId, now));
    },
  };
}
