import { Type } from 'typebox';
import type { ReadableFolder } from '#/files/listings/rows/readable.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import type { Platform } from '#/platform/compose.ts';
import { type JobHandler, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import { createCrawler } from './crawler.ts';
import { idleAfter, mayLook, minute } from './rules.ts';
import { createKeeping } from './service.ts';
import { type LinkKnowledge, createKnowledgeStore } from './store.ts';
import { createWatch } from './watch.ts';

type KeepingDeps = Parameters<typeof createKeeping>[0];

interface Deps extends Pick<KeepingDeps, 'access'> {
  readonly listings: () => Pick<Listings, 'look' | 'receive' | 'forgetUnopened'>;
  readonly knowledge: (folder: ReadableFolder) => ReturnType<KeepingDeps['knowledge']>;
  readonly open: (accountId: string, linkId: string) => Promise<OpenLink>;
  readonly hasOrgPlan: (orgId: string) => Promise<boolean>;
}

/** Milliseconds between two notes of one link's use. */
const noteEvery = 5000;
/** Most links that are given to workers in a minute. */
const mostLinks = 200;
/** Links that are read at once among all instances: each takes a worker for a minute. */
const lanes = 6;

const Nothing = Type.Object({});
const [linkKind, feedKind] = ['knowledge.link', 'knowledge.feed'];

const laneOf = (linkId: string): number => [...linkId].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_521, 7) % lanes;
const crawlJob = (linkId: string, key: string): JobRequest => ({
  scope: linkId,
  kind: linkKind,
  payload: {},
  key,
  priority: 'low',
  lane: { name: `knowledge:${laneOf(linkId)}`, limit: 1 },
});
const feedJob = (linkId: string, key: string, wait = 0): JobRequest => ({
  scope: linkId,
  kind: feedKind,
  payload: {},
  key,
  wait,
  lane: { name: `feed:${linkId}`, limit: 1 },
});

/** Builds the jobs that read folders which nobody has opened, the record of links in use, and the switch of each link. */
export function composeKnowledge(
  { config: { crawl }, database, background, enqueue }: Platform,
  { access, listings, knowledge, open, hasOrgPlan }: Deps,
) {
  const store = createKnowledgeStore(database);
  const noted = new Map<string, number>();
  const mayLookNow = async (link: LinkKnowledge): Promise<boolean> =>
    mayLook(link, crawl) && (!link.isOfOrganisation || (await hasOrgPlan(link.accountId)));
  const watch = createWatch(async (linkId) => {
    const link = await store.find(linkId);
    return link !== undefined && mayLookNow(link);
  });
  const inStore = {
    look: (...args: Parameters<Listings['look']>) => listings().look(...args),
    receive: (...args: Parameters<Listings['receive']>) => listings().receive(...args),
    forgetUnopened: (linkId: string) => listings().forgetUnopened(linkId),
  };
  const crawler = createCrawler({ store, listings: inStore, open, mayLook: mayLookNow, watch, now: Date.now });

  async function find(): Promise<void> {
    if (crawl === 'off') return;
    const now = Date.now();
    const onlyAsked = crawl === 'asked';
    const due = await store.due(now, now - idleAfter, mostLinks, onlyAsked);
    const feeds = await store.dueFeeds(now, mostLinks, onlyAsked);
    const jobs = [
      // A link that is still due after its run has another time.
      ...due.map(({ linkId, dueAt }) => crawlJob(linkId, String(dueAt))),
      ...feeds.map(({ linkId, dueAt }) => feedJob(linkId, String(dueAt))),
    ];
    if (jobs.length > 0) await enqueue(...jobs);
  }

  const handlers: JobHandler[] = [
    defineJob({ kind: 'knowledge.find', payload: Nothing, schedule: '* * * * *', run: find }),
    defineJob({ kind: linkKind, payload: Nothing, run: ({ scope, ...run }) => crawler.crawl(scope, run) }),
    defineJob({ kind: feedKind, payload: Nothing, run: ({ scope, ...run }) => crawler.follow(scope, run) }),
  ];

  return {
    handlers,
    keeping: createKeeping({
      store,
      access,
      knowledge,
      crawl,
      watch,
      listings: inStore,
      wake: async (linkId) => void (await enqueue(crawlJob(linkId, String(Date.now())))),
      now: Date.now,
    }),

    /** Notes that a user works in the link. */
    used(linkId: string): void {
      if (crawl === 'off') return;
      const now = Date.now();
      const before = noted.get(linkId) ?? -Infinity;
      if (now - before < noteEvery) return;
      if (noted.size >= 10_000) noted.clear();
      noted.set(linkId, now);
      background.start('note the use of a link', async () => {
        const hasFeed = await store.used(linkId, now);
        // Changes that others make from now on show within a minute.
        if (hasFeed && now - before > minute) await enqueue(feedJob(linkId, `used ${now}`, noteEvery));
      });
    },
  };
}
