import {
  type InputOf,
  type LinkRequestFault,
  type LinkWebServiceQuery,
  AppError,
  appError,
  findSource,
  type linkAuthUrl,
  linkRequestFaults,
  parseLinkUri,
  safePath,
} from '@sheaf/contract';
import type { GrantedLinks } from '#/links/links/granted.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Throttle } from '#/platform/throttle.ts';
import type { Attempts } from './attempts.ts';
import type { FindAuthorizable } from './authorizable.ts';
import type { createBuckets } from './buckets.ts';
import type { createFinishing } from './finishing.ts';
import type { createManaging } from './managing.ts';

/** One error for every reason why the user may not link there. */
const notTheirs: ReadonlySet<AppError['messageCode']> = new Set(['INVALID_LINK_URI', 'ORG_EXPIRED', 'ROLE_FORBIDS']);
const perAccount = { tries: 60, seconds: 900 };

interface Deps {
  readonly attempts: Attempts;
  readonly find: FindAuthorizable;
  readonly links: GrantedLinks;
  readonly throttle: Throttle;
  readonly finishing: ReturnType<typeof createFinishing>;
  readonly managing: ReturnType<typeof createManaging>;
  readonly buckets: ReturnType<typeof createBuckets>;
  /** Deletes expired rows. */
  readonly sweep: () => Promise<void>;
}

export type Authorizations = ReturnType<typeof createAuthorizations>;

/** Linking by authorization, from the first step to the last. */
export function createAuthorizations({ attempts, find, links, throttle, finishing, managing, buckets, sweep }: Deps) {
  const count = ({ userId }: Caller): Promise<void> => throttle.count(`authorization ${userId}`, perAccount);

  /**
   * Checks that the user may link for the organisation, if given, and that the link, if given, belongs to it or to the user and is of that provider.
   */
  async function isOwn({ userId }: Caller, orgOid: string, linkId: string, provider: string): Promise<boolean> {
    try {
      const owner = await links.ownerOf(userId, orgOid);
      return linkId === '' || (await links.find(owner, linkId)).provider === provider;
    } catch (error) {
      if (error instanceof AppError && notTheirs.has(error.messageCode)) return false;
      throw error;
    }
  }

  return {
    ...finishing,
    ...managing,
    addBucket: buckets.add,
    sweep,

    /** Returns the provider's address to redirect the browser to, or why there is none. Rejects with TOO_MANY_TRIES. */
    async begin(caller: Caller, asked: LinkWebServiceQuery): Promise<{ url: string } | { fault: LinkRequestFault }> {
      const { sourceType, providerName = '', userLinkId = '', handoffToken = '', orgOid = '' } = asked;
      const name = providerName || sourceType;
      const known = findSource(name);
      const fault = (reason: LinkRequestFault['reason']) => ({ fault: { reason, ...(known && { provider: known.provider }) } });
      const found = await find(name);
      if (typeof found === 'string') return fault(found);
      if (!(await isOwn(caller, orgOid, userLinkId, found.source.provider))) return fault('nolink');
      await count(caller);
      const way = {
        userLinkId: userLinkId || undefined,
        redirectUrl: pathOf(asked.redirectUrl),
        cancelUrl: pathOf(asked.cancelUrl),
        handoffToken: handoffToken || undefined,
        orgOid: orgOid || undefined,
        buildsRedirect: asked.buildRedirectUrl === 'true',
      };
      return { url: await attempts.begin(caller, found, way, asked.authPrompt === 'true') };
    },

    /**
     * The address for reauthorizing one's own link or an organisation's. Rejects with INVALID_LINK_URI, PROVIDER_NOT_SET_UP and related errors, and
     * TOO_MANY_TRIES.
     */
    async urlFor(
      caller: Caller,
      { linkUri, redirectUrl, cancelUrl, authPrompt = false }: InputOf<typeof linkAuthUrl>,
    ): Promise<{ url: string }> {
      const { userLinkId = '' } = parseLinkUri(linkUri) ?? {};
      const owner = await links.ownerOfLink(caller.userId, userLinkId);
      const link = await links.find(owner, userLinkId);
      const found = await find(link.provider);
      if (typeof found === 'string')
        throw appError(linkRequestFaults[found], { provider: findSource(link.provider)?.title ?? link.provider });
      await count(caller);
      const way = {
        userLinkId,
        redirectUrl: pathOf(redirectUrl),
        cancelUrl: pathOf(cancelUrl),
        orgOid: owner.ownerId === caller.userId ? undefined : owner.ownerId,
        buildsRedirect: false,
      };
      return { url: await attempts.begin(caller, found, way, authPrompt) };
    },
  };
}

/** A path of this site, else undefined for the default target. */
const pathOf = (value: string | undefined): string | undefined => safePath(value, '') || undefined;
