import type { ReadableFolder } from '#/files/listings/rows/readable.ts';
import type { Listings } from '#/files/listings/service.ts';
import type { OpenLink } from '#/links/connections/connections.ts';
import type { Platform } from '#/platform/compose.ts';
import { type JobHandler, Nothing, defineJob } from '#/platform/jobs/job.ts';
import type { JobRequest } from '#/platform/jobs/jobs.ts';
import { createCrawler } from './crawler.ts';
import { hintPath } from './hint-routes.ts';
import { createHintStore } from './hint-store.ts';
import { createHints, isCallable } from './hints.ts';
import { idleAfter, mayLook, minute } from './rules.ts';
import { createKeeping } from './service.ts';
import { type LinkKnowledge, createKnowledgeStore } from './store.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createWatch } from './watch.ts';

type KeepingDeps = Parameters<typeof createKeeping>[0];

interface Deps extends Pick<KeepingDeps, 'access'>, Pick<Parameters<typeof createHints>[0], 'findDefinition' | 'appOf'> {
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

const [linkKind, feedKind, subscribeKind] = ['knowledge.link', 'knowledge.feed', 'knowledge.subscribe'];

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

const subscribeJob = (linkId: string, key: string): JobRequest => ({
  scope: linkId,
  kind: subscribeKind,
  payload: {},
  key,
  priority: 'low',
  lane: { name: `subscribe:${linkId}`, limit: 1 },
});

/** Builds the jobs that read folders which nobody has opened, the record of links in use, and the switch of each link. */
export function composeKnowledge(
  { config: { crawl, publicUrl }, database, background, enqueue }: Platform,
  { access, listings, knowledge, open, hasOrgPlan, findDefinition, appOf }: Deps,
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

  const hintStore = createHintStore(database);
  const subscriptions = createSubscriptions({
    store,
    hintStore,
    open,
    mayLook: mayLookNow,
    addressFor: (provider) => publicUrl + hintPath(provider),
    now: Date.now,
  });
  /** Nothing is subscribed to where the answer could not arrive. */
  const hearsHints = crawl !== 'off' && isCallable(publicUrl);
  const hints = createHints({
    hintStore,
    findDefinition,
    appOf,
    wakeFeed: async (linkId, plannedAt, wait) => void (await enqueue(feedJob(linkId, `hint ${plannedAt}`, wait))),
    async renew(linkId) {
      await hintStore.save(linkId, { renewAt: 0 });
      await enqueue(subscribeJob(linkId, `ending ${Math.floor(Date.now() / minute)}`));
    },
    now: Date.now,
  });

  async function findSubscriptions(): Promise<void> {
    if (!hearsHints) return;
    const due = await hintStore.due(Date.now(), mostLinks);
    if (due.length > 0) await enqueue(...due.map(({ linkId, dueAt }) => subscribeJob(linkId, String(dueAt))));
  }

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
    defineJob({ kind: 'knowledge.subscriptions', payload: Nothing, schedule: '* * * * *', run: findSubscriptions }),
    defineJob({ kind: subscribeKind, payload: Nothing, run: ({ scope, signal }) => subscriptions.renew(scope, signal) }),
  ];

  return {
    handlers,
    hints: hearsHints ? hints : undefined,
    /** Ends what a service was asked to tell about a link; before the link is removed. */
    endHints: subscriptions.end,
    keeping: createKeeping({
      store,
      access,
      knowledge,
      crawl,
      watch,
      listings: inStore,
      endHints: (linkId) => background.start('end a subscription', () => subscriptions.end(linkId)),
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
