import { isIP } from 'node:net';
import { type FindDefinition, type HintRequest, addressRule } from '@sheaf/connectors';
import { findSource } from '@sheaf/contract';
import type { AppOf } from '#/links/grants/apps.ts';
import type { HintStore } from './hint-store.ts';
import { hashOfSecret } from './subscriptions.ts';

interface Deps {
  readonly hintStore: HintStore;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  /** Gives the link's feed to a worker after so many milliseconds. */
  readonly wakeFeed: (linkId: string, plannedAt: number, wait: number) => Promise<void>;
  /** Has the link's subscription renewed soon. */
  readonly renew: (linkId: string) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What a request at the address for hints is answered with; undefined for one that says nothing, whatever the reason. */
type HintAnswer = { readonly echo: string } | { readonly echo?: undefined } | undefined;

/** Least milliseconds between two questions for changes to which hints about one link lead. */
const pause = 1000;
/** Most secrets or accounts of a request that are looked at: services send a few. */
const most = 200;

/** Domains that nobody outside reaches (RFC 2606, 6761, 6762, 8375; `internal` is reserved by ICANN). */
const privateDomain = /(?:^|\.)(?:local|localhost|internal|lan|home\.arpa|test|invalid)$/;

/** Whether services on the internet can call an installation with this origin. */
export function isCallable(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return false;
  return isIP(host) === 0 ? host.includes('.') && !privateDomain.test(host) : addressRule('deny')(host);
}

export type Hints = ReturnType<typeof createHints>;

/** Receives what services say about changes. It is never taken for true: it makes Sheaf ask the source for changes, at most once a second for each link. */
export function createHints({ hintStore, findDefinition, appOf, wakeFeed, renew, now }: Deps) {
  async function plan(linkId: string): Promise<void> {
    const time = now();
    const at = await hintStore.plan(linkId, time, pause);
    if (at !== undefined) await wakeFeed(linkId, at, Math.max(0, at - time));
  }

  return {
    /** Hears a request that says to come from a provider of the catalogue. One that is unknown or wrongly signed costs a look-up and leaves nothing. */
    async hear(provider: string, request: HintRequest): Promise<HintAnswer> {
      const source = findSource(provider);
      const app = source && appOf(source);
      if (!source || app?.clientId === undefined) return undefined;
      const hint = (await findDefinition(source))?.readHint?.(request, app);
      if (!hint) return undefined;
      if (hint.shape === 'echo') return { echo: hint.text };
      if (hint.shape === 'identities') {
        const links = await hintStore.linksOfIdentities(source.provider, hint.identities.slice(0, most));
        for (const linkId of links) await plan(linkId);
        return {};
      }
      const hashes = hint.secrets.slice(0, most).map(hashOfSecret);
      const links = await hintStore.linksOfSecrets(source.provider, hashes);
      if (links.length === 0) return undefined;
      for (const { linkId, isSubscribed } of links) {
        await plan(linkId);
        if (hint.isEnding && isSubscribed) await renew(linkId);
      }
      return {};
    },
  };
}
