import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@sheaf/contract';
import type { OpenLink } from '#/links/connections/connections.ts';
import type { HintStore } from './hint-store.ts';
import { day, hour, minute, waitAfterRefusal } from './rules.ts';
import type { KnowledgeStore, LinkKnowledge } from './store.ts';

interface Deps {
  readonly store: Pick<KnowledgeStore, 'find'>;
  readonly hintStore: HintStore;
  /** Opens a link of the account that owns it. */
  readonly open: (accountId: string, linkId: string) => Promise<OpenLink>;
  readonly mayLook: (link: LinkKnowledge) => Promise<boolean>;
  /** The address at which the provider's hints arrive. */
  readonly addressFor: (provider: string) => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Milliseconds for which a link is waited for that cannot be unsubscribed: its subscription then ends by itself. */
const longestFarewell = 2000;
/** Milliseconds until a link whose service has no subscriptions is looked at again: a later version may know how. */
const rest = 30 * day;

/** Part of a subscription's time after which it is renewed: early enough for several attempts. */
const inTime = 2 / 3;

/** What is stored of a secret: whoever reads the database cannot send hints. Secrets are random, so a plain hash is enough. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Has services tell of changes: subscribes for each link whose service can, renews that in time, and ends it with the link. */
export function createSubscriptions({ store, hintStore, open, mayLook, addressFor, now }: Deps) {
  return {
    /** Makes or renews the link's subscription if that is due. After a refusal it is tried again as late as other work on the link. */
    async renew(linkId: string, signal: AbortSignal): Promise<void> {
      const [link, known] = [await store.find(linkId), await hintStore.find(linkId)];
      if (!link || link.feedAt === undefined || (known && known.renewAt > now())) return;
      if (!(await mayLook(link))) return hintStore.save(linkId, { renewAt: now() + hour });
      const { handle, refusals = 0 } = known ?? {};
      try {
        const { connector } = await open(link.accountId, linkId);
        if (!connector.subscribe) return await hintStore.save(linkId, { renewAt: now() + rest });
        const secret = randomBytes(32).toString('base64url');
        const wish = { address: addressFor(link.provider), secret, ...(handle !== undefined && { before: handle }) };
        const made = await connector.subscribe(wish, { signal });
        await hintStore.save(linkId, {
          handle: made.handle,
          ...(!made.isContinued && { secretHash: hashOfSecret(secret) }),
          expiresAt: made.expiresAt,
          renewAt: now() + Math.max(minute, Math.floor((made.expiresAt - now()) * inTime)),
          refusals: 0,
        });
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError)) throw error;
        await hintStore.save(linkId, { renewAt: now() + waitAfterRefusal(refusals + 1, error), refusals: refusals + 1 });
      }
    },

    /** Ends the link's subscription. Call it while the link can be opened; waits at most two seconds, and never rejects for what the service says. */
    async end(linkId: string): Promise<void> {
      const [link, known] = [await store.find(linkId), await hintStore.find(linkId)];
      if (!link || known?.handle === undefined) return;
      await hintStore.save(linkId, { handle: null, secretHash: null, expiresAt: null, renewAt: now() });
      try {
        const { connector } = await open(link.accountId, linkId);
        await connector.unsubscribe?.(known.handle, { signal: AbortSignal.timeout(longestFarewell) });
      } catch (error) {
        // A service that does not answer must not keep the link here. What it goes on to send is unknown here, and ends within days.
        if (!(error instanceof AppError)) throw error;
      }
    },
  };
}
