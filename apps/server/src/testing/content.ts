import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Connector, layered, wholeReads } from '@sheaf/connectors';
import { type MemorySource, createMemorySource } from '@sheaf/connectors/memory';
import { type Item, appError, linkUriOf } from '@sheaf/contract';
import { type FastifyInstance, fastify } from 'fastify';
import { createJournal } from '#/files/changes/journal.ts';
import { createChangeStore } from '#/files/changes/store.ts';
import { contentRoutes } from '#/files/content/routes.ts';
import { type Content, createContent } from '#/files/content/service.ts';
import { createNameClaims } from '#/files/items/name-claims.ts';
import type { Links } from '#/files/items/open-item.ts';
import { createSpools } from '#/files/listings/rows/spool.ts';
import { type ListingStore, createListingStore } from '#/files/listings/rows/store.ts';
import { type Listings, createListings } from '#/files/listings/service.ts';
import { createPictures } from '#/files/thumbnails/service.ts';
import { answer } from '#/links/connections/answers.ts';
import { type OpenDatabase, openDatabase } from '#/platform/db/database.ts';
import { acceptForms } from '#/platform/http/bodies/forms.ts';
import { answerErrors } from '#/platform/http/on-error.ts';
import { testDatabase, testEngine } from './database.ts';

const unusedOfLink = {
  provider: 'Memory',
  sourceType: 'Memory',
  account: '',
  identity: '',
  info: '{}',
  state: 'unknown',
  checkedAt: null,
  attention: null,
  createdAt: 0,
  revision: 0,
};

async function addAccount({ db }: OpenDatabase, id: string): Promise<void> {
  const empty = {
    kind: 'person',
    passwordHash: null,
    verifiedAt: null,
    disabledAt: null,
    createdAt: 0,
  };
  await db
    .insertInto('account')
    .values({ id, name: id, email: id, emailKey: id, ...empty })
    .execute();
}

const nobody = { close: async (): Promise<void> => undefined };

/** A database with a link in it, closed after what uses it and gone at the end of the test. */
export async function listingDatabase(t: TestContext, linkId: string, { on = testEngine, usedBy = nobody } = {}): Promise<OpenDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sheaf-listings-'));
  const databaseUrl = await testDatabase({ on });
  const database = await openDatabase({ databaseUrl, dataDir, onLostConnection: () => undefined });
  await addAccount(database, 'user1');
  await database.db
    .insertInto('link')
    .values({ id: linkId, accountId: 'user1', name: 'My Files', nameKey: 'my files', ...unusedOfLink })
    .execute();
  t.after(async () => {
    await usedBy.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return database;
}

export interface ContentFixture {
  readonly source: MemorySource;
  readonly userId: string;
  readonly userLinkId: string;
  readonly database: OpenDatabase;
  readonly store: ListingStore;
  readonly listings: Listings;
  readonly content: Content;
  readonly app: FastifyInstance;
  /** What the link's connector cannot do. */
  readonly lacks: Set<keyof Connector>;
  /** What it can do besides, or otherwise. */
  readonly extra: { thumbnail?: Connector['thumbnail'] };
  /** Lets time pass for the listings; ms. */
  pass(ms: number): void;
  uri(path: string): string;
  /** Names of a folder's first page as the source has it now; stored when they are given. */
  names(path: string): Promise<string[]>;
}

/** Content over a memory source with one link of one user. */
export async function testContent(t: TestContext, options: Parameters<typeof createMemorySource>[0] = {}): Promise<ContentFixture> {
  const source = createMemorySource(options);
  const [userId, userLinkId] = ['user1', 'Link1'];
  const usedBy = { ...nobody };
  const database = await listingDatabase(t, userLinkId, { usedBy });
  const store = createListingStore(database);
  let passed = 0;
  const listings = createListings({
    store,
    spools: createSpools(),
    now: () => Date.now() + passed,
    newVersion: randomUUID,
    onStoreError: (error) => {
      throw error;
    },
  });
  const env = { dialer: { connect: refuse, upgrade: refuse }, remember: refuse, recall: refuse };
  const inner = wholeReads(await source.definition.open({}, env), { delay: 1 });
  const opened = layered(inner, answer({ provider: 'Memory', heard: () => undefined }));
  const lacks = new Set<keyof Connector>();
  const extra: ContentFixture['extra'] = {};
  const links: Links = {
    async open(user, id) {
      if (user !== userId || id !== userLinkId) throw appError('INVALID_LINK_URI', {});
      const kept = Object.entries(opened).filter(([operation]) => ![...lacks].some((lacking) => lacking === operation));
      // What is taken away is optional in the interface.
      const connector = { ...Object.fromEntries(kept), ...extra } as unknown as Connector;
      return { userLinkId, name: 'My Files', provider: 'Memory', hasBin: false, transferSlots: 4, connector };
    },
    findByName: async (user, name) => (user === userId && name === 'My Files' ? userLinkId : undefined),
    checkMember: async () => {
      throw appError('INVALID_LINK_URI', {});
    },
  };
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-pictures-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const pictures = createPictures({
    folder,
    onTrouble: (error) => {
      throw error;
    },
  });
  const claims = createNameClaims({
    newId: randomUUID,
    now: () => Math.floor(Date.now() / 1000),
    later: () => {
      throw new Error('nothing is shared');
    },
  });
  const content = createContent({
    links,
    listings,
    pictures,
    claims,
    bytesBelow: async () => undefined,
    journal: createJournal({ store: createChangeStore(database), newId: randomUUID, now: () => Math.floor(Date.now() / 1000) }),
    transfers: {
      movesOf: async () => [],
      join: async () => false,
      check: async () => undefined,
      explain: async (_linkId, _path, error) => error,
    },
  });
  const app = fastify({ forceCloseConnections: true });
  app.decorate('findCaller', (token) => ({ userId: token, sessionId: 'session', rTag: 'tag' }));
  app.decorate('publicOrigin', 'http://127.0.0.1');
  acceptForms(app);
  answerErrors(app);
  contentRoutes(app, content);
  usedBy.close = async () => {
    await app.close();
    await listings.close();
  };
  const uri = (path: string): string => linkUriOf(userLinkId, path);
  return {
    source,
    userId,
    userLinkId,
    database,
    store,
    listings,
    content,
    app,
    lacks,
    extra,
    pass: (ms) => void (passed += ms),
    uri,
    async names(path) {
      const ask = { linkUri: uri(path), sort: 'name', order: 'asc', fresh: true, refresh: true, limit: 1000 } as const;
      const answer = await content.firstPage(userId, ask, AbortSignal.timeout(60_000));
      await listings.idle();
      return dataOf<{ items: Item[] }>(answer).items.map(({ name }) => name);
    },
  };
}

/** What an answer that is encoded already says. */
export const dataOf = <Data>(answer: Buffer): Data => (JSON.parse(answer.toString()) as { data: Data }).data;

const refuse = async (): Promise<never> => {
  throw new Error('a memory source has no network and remembers nothing');
};
