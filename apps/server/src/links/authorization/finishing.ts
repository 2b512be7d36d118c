import { ConnectorError, type ConnectorErrorKind, deadlines, isKind } from '@sheaf/connectors';
import {
  AppError,
  type GoogleCloudFormQuery,
  type LinkRequestReason,
  desktopSuccessPath,
  googleCloudFormPath,
  linkOutcomePath,
} from '@sheaf/contract';
import { ownerOf } from '#/links/grants/grant.ts';
import type { Revoking } from '#/links/grants/revoking.ts';
import type { GrantedLinks, OwnedGrant } from '#/links/links/granted.ts';
import type { Owner } from '#/links/links/owner.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { Attempts, Returned } from './attempts.ts';
import type { Authorizable, FindAuthorizable } from './authorizable.ts';
import type { PendingGrants } from './pending-grants.ts';

const home = '/account/mysheaf';
const orgHome = `${home}?catid=org`;

type Outcome = Parameters<typeof linkOutcomePath>[0];

/** A provider's answer, sent through the browser. */
interface ProviderAnswer {
  readonly state?: string;
  readonly code?: string;
  readonly error?: string;
}

interface Deps {
  readonly attempts: Attempts;
  readonly pendingGrants: PendingGrants;
  readonly find: FindAuthorizable;
  readonly links: GrantedLinks;
  readonly revoking: Revoking;
  /** Called with the reason, where the user only learns that it failed. */
  readonly onTrouble: (error: Error, provider: string) => void;
}

/** Transient errors of RFC 6749, section 4.1.2.1. */
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);
/** Failures of the connection to the provider rather than of its answer. */
const wayKinds: readonly ConnectorErrorKind[] = [
  'aborted',
  'certificateMissing',
  'certificateName',
  'interrupted',
  'rateLimited',
  'timeout',
  'unreachable',
];

/** Finishes authorizations: the provider's answer becomes a link, a grant for a link, or a page that explains the failure. */
export function createFinishing({ attempts, pendingGrants, find, links, revoking, onTrouble }: Deps) {
  /** Returns the path to redirect the browser to. */
  async function finish(caller: Caller, returned: Returned, code: string): Promise<string> {
    const found = await find(returned.provider);
    if (typeof found === 'string') return linkOutcomePath('unexpectederror');
    const { source, authorization, env } = found;
    const { provider } = source;
    const { redirectUri } = attempts;
    // Not aborted when the browser leaves: a code works once.
    const deadline = AbortSignal.timeout(deadlines.login);
    const redeemed = await authorization.redeem({ provider, code, redirectUri, verifier: returned.verifier }, env, deadline);
    const { grant } = redeemed;
    const info = await authorization.identify(redeemed, provider, env, deadline);
    const owned = { grant, owner: ownerOf(env.app, info) };
    try {
      // The right to link for an organisation may have been lost meanwhile.
      const owner = await links.ownerOf(caller.userId, returned.orgOid);
      if (source.family === 'googlecloud' && (returned.userLinkId === undefined || returned.buildsRedirect))
        return formPath(returned, await pendingGrants.park(caller, returned.orgOid, provider, info, grant));
      return await store(owner, returned, found, info, owned);
    } catch (error) {
      revoking.discard(source, owned.owner, grant);
      throw error;
    }
  }

  async function store(
    owner: Owner,
    returned: Returned,
    { source, definition }: Authorizable,
    info: Readonly<Record<string, string>>,
    owned: OwnedGrant,
  ): Promise<string> {
    const draft = { source, definition, info };
    const { handoffToken, orgOid, userLinkId } = returned;
    const usual = orgOid === undefined ? home : orgHome;
    const saved =
      userLinkId === undefined
        ? await links.add(owner, { ...draft, owned })
        : await links.regrant(owner, await links.find(owner, userLinkId), draft, owned);
    // Does not revoke the grant: the existing link uses the same authorization, which many providers revoke as a whole.
    if (!saved) return linkOutcomePath('duplicate');
    if (handoffToken !== undefined) return `${desktopSuccessPath(source.provider)}?${query({ handoffToken })}`;
    const { redirectUrl = usual } = returned;
    // Default target: what was just linked.
    return userLinkId === undefined && redirectUrl === usual ? saved.browseUrl : redirectUrl;
  }

  return {
    /**
     * Handles the provider's answer; returns the path to redirect the browser to. Refuses an answer that does not belong to this session's attempt.
     */
    async complete(caller: Caller, { state, code, error }: ProviderAnswer): Promise<string> {
      const returned = state === undefined ? undefined : await attempts.take(caller, state);
      if (!returned) return linkOutcomePath('unexpectederror');
      if (error !== undefined)
        return linkOutcomePath(error === 'access_denied' ? 'declined' : passing.has(error) ? 'connectionerror' : 'unexpectederror');
      if (code === undefined || code === '') return linkOutcomePath('unexpectederror');
      try {
        return await finish(caller, returned, code);
      } catch (trouble) {
        if (isKind(trouble, 'accountKind')) return otherKindPath(returned.provider);
        const outcome = outcomeOf(trouble);
        if (outcome === undefined || !(trouble instanceof Error)) throw trouble;
        if (outcome !== 'mismatch') onTrouble(trouble, returned.provider);
        return linkOutcomePath(outcome);
      }
    },
  };
}

/** The page that says which kind of account the provider needs. */
const otherKindPath = (provider: string): string =>
  `${linkOutcomePath('mismatch')}?${query({ reason: 'accountkind' satisfies LinkRequestReason, provider })}`;

/** The page that explains a failure; undefined for an unexpected one. */
function outcomeOf(error: unknown): Outcome | undefined {
  if (isKind(error, ...wayKinds)) return 'connectionerror';
  if (error instanceof AppError) return error.messageCode === 'ACCOUNT_MISMATCH' ? 'mismatch' : 'unexpectederror';
  return error instanceof ConnectorError ? 'unexpectederror' : undefined;
}

function formPath({ userLinkId, redirectUrl, cancelUrl, handoffToken, orgOid }: Returned, stateId: string): string {
  const form: GoogleCloudFormQuery = {
    stateId,
    ...(userLinkId !== undefined && { userLinkId }),
    ...(redirectUrl !== undefined && { redirectUrl }),
    ...(cancelUrl !== undefined && { cancelUrl }),
    ...(handoffToken !== undefined && { handoffToken }),
    ...(orgOid !== undefined && { orgOid }),
  };
  return `${googleCloudFormPath}?${query(form)}`;
}

const query = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
