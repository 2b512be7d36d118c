import {
  type Connector,
  type Definition,
  type Dialer,
  type FindDefinition,
  type Leftovers,
  type OperationDeadlines,
  type Operation,
  type Trace,
  allInParallel,
  bounds,
  conclude,
  hiddenBin,
  layered,
  limit,
  recasing,
  retry,
  safePaths,
  timeout,
  trace,
  wholeReads,
} from '@sheaf/connectors';
import { type Source, appError, findSource } from '@sheaf/contract';
import type { AppOf } from '#/links/grants/apps.ts';
import { grantField } from '#/links/grants/grant.ts';
import type { LinkTokens } from '#/links/grants/tokens.ts';
import { lookupsAtOnce } from '#/platform/db/database.ts';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import { answer, answerOf } from './answers.ts';
import { currentGuest } from './guests.ts';
import { type Lifetime, createLifetime } from './lifetime.ts';
import { createLinkEnv } from './link-env.ts';
import { createLinkHealth } from './link-health.ts';
import type { ConnectionStore, LinkRow } from './store.ts';

/** An open link of the user. */
export interface OpenLink {
  readonly userLinkId: string;
  readonly name: string;
  /** The provider's title, for errors. */
  readonly provider: string;
  /** Whether the source keeps deleted items. */
  readonly hasBin: boolean;
  /** Whether the source may have been told to keep versions or deleted items. */
  readonly mayKeepVersions?: true;
  /** Whether the user's role is read-only. */
  readonly isReadOnly?: true;
  /** Only in a Space: location of its files, equal for all its members. */
  readonly stored?: { readonly userLinkId: string; readonly folder: string };
  /** Files that may be read or written at the same time: one connection is left for browsing. */
  readonly transferSlots: number;
  /** With all layers; rejects with AppError. Use it at once: it closes when idle. */
  readonly connector: Connector;
}

interface Deps {
  readonly store: ConnectionStore;
  readonly vault: Vault;
  readonly dialer: Dialer;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  readonly tokens: LinkTokens;
  readonly leftoversOf: (linkId: string) => Leftovers;
  /** Epoch seconds. */
  readonly now: () => number;
  /** Runs a background task and logs its failure. */
  readonly later: (name: string, task: () => Promise<void>) => void;
  /** Called when a call to a source begins; what it returns is called when the call has ended. */
  /** The provider of that source type has refused a request because there were too many. */
  readonly limited: (source: string) => void;
  readonly traced: (call: TracedCall) => (trace: Trace) => void;
  /** Called for a link whose source needed attention and answers again. */
  readonly recovered?: (linkId: string) => void;
  /** Milliseconds after which an idle connection is closed. */
  readonly idleMilliseconds?: number;
  /** How long sources may take; the table of the connectors unless told. */
  readonly deadlinesOf?: ((operation: Operation) => OperationDeadlines) | undefined;
}

interface TracedCall {
  readonly operation: Operation;
  readonly userLinkId: string;
  readonly connector: string;
  /** Of the catalogue. */
  readonly source: string;
}

interface Held {
  readonly revision: number;
  readonly link: OpenLink;
  readonly lifetime: Lifetime;
  /** Epoch seconds of the last check whether another instance has saved the link. */
  checkedAt: number;
}

/** Milliseconds for running calls to finish when everything is stopped. */
const lastMoment = 1000;
/** Seconds for which an open connection is used without checking whether another instance has saved or removed the link. */
const trustFor = 2;

export type Connections = ReturnType<typeof createConnections>;

/** Opens links and keeps them open while they are used: one connection per link, with its layers, closed when idle. */
export function createConnections(deps: Deps) {
  const { store, vault, findDefinition, now, later, traced, limited, idleMilliseconds = 60_000, deadlinesOf } = deps;
  const envOf = createLinkEnv(deps);
  const open = new Map<string, Promise<Held>>();

  async function openRow(row: LinkRow, whenClosed: () => void): Promise<Held> {
    const { definition, source, title } = await definitionOf(row.provider, findDefinition);
    const { [grantField]: grant, ...secrets } = await unsealed(row.id);
    const info = { ...secrets, ...storedInfo(row) };
    const env = envOf(row, source, definition, grant !== undefined);
    const health = createLinkHealth({
      state: stateOf(row),
      attention: row.attention,
      checkedAt: row.checkedAt,
      now,
      recovered: () => deps.recovered?.(row.id),
      write: (state, attention, checkedAt) => later('link state', () => store.setState(row.id, row.revision, state, attention, checkedAt)),
    });
    try {
      const config = definition.parse(info, row.provider);
      const inner = await definition.open(config, env);
      const lifetime = createLifetime(idleMilliseconds, () => {
        whenClosed();
        later('closing a connection', () => inner.close());
      });
      const connector = layered(
        wholeReads(
          layered(
            definition.movesTrees && !definition.hasBin ? hiddenBin(recasing(inner)) : recasing(inner),
            trace((operation) => traced({ operation, userLinkId: row.id, connector: definition.id, source: row.provider })),
            safePaths(),
            limit(definition.concurrency(config), { guest: currentGuest }),
            // Outside of the retries, so that the timeout covers all of them.
            timeout(deadlinesOf),
            retry({ limited: () => limited(row.provider) }),
            bounds(),
            conclude(),
          ),
        ),
        answer({
          provider: title,
          heard: (refusal) => (refusal ? health.failed(refusal.error.kind, refusal.row) : health.worked()),
        }),
        lifetime.layer,
      );
      const link = {
        userLinkId: row.id,
        name: row.name,
        provider: title,
        hasBin: definition.hasBin === true,
        ...(definition.mayKeepVersions && { mayKeepVersions: true as const }),
        transferSlots: Math.max(1, definition.concurrency(config) - 1),
        connector,
      };
      return { revision: row.revision, link, lifetime, checkedAt: now() };
    } catch (error) {
      throw answerOf(error, { provider: title, info });
    }
  }

  const unsealed = async (linkId: string): Promise<Record<string, string>> =>
    Object.fromEntries((await store.secretsOf(linkId)).map(({ field, sealed }) => [field, vault.open(secretPlace(linkId, field), sealed)]));

  /** Stored at once, so that concurrent callers share the opening. */
  function openAnew(key: string, accountId: string, userLinkId: string): Promise<Held> {
    const forget = () => {
      if (open.get(key) === opening) open.delete(key);
    };
    const opening = store.find(accountId, userLinkId).then((row) => {
      if (!row) throw appError('INVALID_LINK_URI', {});
      return openRow(row, forget);
    });
    open.set(key, opening);
    opening.catch(forget);
    return opening;
  }

  /** Removes the connection, so that the next caller opens a new one. */
  async function taken(key: string): Promise<Held | undefined> {
    const opening = open.get(key);
    open.delete(key);
    const [result] = await Promise.allSettled([opening]);
    return result.status === 'fulfilled' ? result.value : undefined;
  }

  async function isStale(held: Held): Promise<boolean> {
    if (now() - held.checkedAt < trustFor) return false;
    held.checkedAt = now();
    return (await store.revisionOf(held.link.userLinkId)) !== held.revision;
  }

  /** Ends the connections of removed links; of saved ones, only running calls go on. */
  async function recheck(key: string): Promise<void> {
    const [opened] = await Promise.allSettled([open.get(key)]);
    const held = opened.status === 'fulfilled' ? opened.value : undefined;
    if (!held) return;
    const revision = await store.revisionOf(held.link.userLinkId);
    if (revision === held.revision) return;
    if ((await open.get(key)) === held) open.delete(key);
    if (revision === undefined) held.lifetime.cut();
    else held.lifetime.retire();
  }

  return {
    /** Opens a link of the account; rejects with INVALID_LINK_URI for any other link, and with the source's error. */
    async open(accountId: string, userLinkId: string): Promise<OpenLink> {
      const key = keyOf(accountId, userLinkId);
      const held = await open.get(key);
      if (!held) return (await (open.get(key) ?? openAnew(key, accountId, userLinkId))).link;
      if (await isStale(held)) {
        (await taken(key))?.lifetime.retire();
        return (await (open.get(key) ?? openAnew(key, accountId, userLinkId))).link;
      }
      held.lifetime.touch();
      return held.link;
    },

    /** The id of the account's link with exactly that name. */
    findByName: (accountId: string, name: string): Promise<string | undefined> => store.findIdByName(accountId, name),

    /** Lets running calls finish on the old connection; the next caller opens a new one. */
    async replace(accountId: string, userLinkId: string): Promise<void> {
      (await taken(keyOf(accountId, userLinkId)))?.lifetime.retire();
    },

    /** Checks whether the account's links, or all, were saved or removed elsewhere. */
    async recheck(accountId?: string): Promise<void> {
      const keys = [...open.keys()].filter((key) => accountId === undefined || key.startsWith(`${accountId} `));
      await allInParallel(keys, lookupsAtOnce, recheck);
    },

    /** Aborts all calls of the link. */
    async cut(accountId: string, userLinkId: string): Promise<void> {
      (await taken(keyOf(accountId, userLinkId)))?.lifetime.cut();
    },

    /** Ends everything, after a moment in which interrupted uploads remove their remains at the source. */
    async close(): Promise<void> {
      const held = (await Promise.all([...open.keys()].map(taken))).filter((one) => one !== undefined);
      await atMost(
        lastMoment,
        held.map(({ lifetime }) => lifetime.settled()),
      );
      for (const { lifetime } of held) lifetime.cut();
    },
  };
}

/** Resolves when all have, or after the timeout. */
async function atMost(milliseconds: number, all: readonly Promise<void>[]): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([over, Promise.all(all)]);
  clearTimeout(timer);
}

const keyOf = (accountId: string, userLinkId: string): string => `${accountId} ${userLinkId}`;

interface Found {
  readonly definition: Definition;
  readonly source: Source;
  /** The provider's title. */
  readonly title: string;
}

/** The connector of a provider; rejects with INVALID_SOURCE_TYPE or NOT_AVAILABLE_YET. */
export async function definitionOf(provider: string, find: FindDefinition): Promise<Found> {
  const source = findSource(provider);
  if (!source) throw appError('INVALID_SOURCE_TYPE', {});
  const definition = await find(source);
  if (!definition) throw appError('NOT_AVAILABLE_YET', {});
  return { definition, source, title: source.title };
}

/** The link's connection info without its secrets. */
export function storedInfo({ info }: LinkRow): Readonly<Record<string, string>> {
  const parsed: unknown = JSON.parse(info);
  if (typeof parsed !== 'object' || parsed === null) throw appError('UNEXPECTED', { code: '799' });
  return Object.fromEntries(Object.entries(parsed).map(([field, value]) => [field, String(value)]));
}

const stateOf = ({ state }: LinkRow) => (state === 'ok' || state === 'attention' ? state : 'unknown');
