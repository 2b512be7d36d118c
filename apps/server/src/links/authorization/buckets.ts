import type { Dialer, FindDefinition, Tokens } from '@sheaf/connectors';
import { type InputOf, type SavedLink, type addGoogleCloudLink, appError, directoryStructures } from '@sheaf/contract';
import { answerOf } from '#/links/connections/answers.ts';
import { definitionOf } from '#/links/connections/connections.ts';
import { type Proof, probe } from '#/links/connections/probe.ts';
import type { AppOf } from '#/links/grants/apps.ts';
import { ownerOf } from '#/links/grants/grant.ts';
import { unsavedTokens } from '#/links/grants/tokens.ts';
import { refuseUnknownChoices } from '#/links/links/connection-info.ts';
import { families } from '#/links/links/families.ts';
import type { GrantedDraft, GrantedLinks } from '#/links/links/granted.ts';
import { givenName } from '#/links/links/names.ts';
import type { Owner } from '#/links/links/owner.ts';
import type { Caller } from '#/platform/http/session.ts';
import type { FindAuthorizable } from './authorizable.ts';
import type { PendingGrants } from './pending-grants.ts';

type BucketDraft = InputOf<typeof addGoogleCloudLink>;

interface Deps {
  readonly links: GrantedLinks;
  readonly pendingGrants: PendingGrants;
  readonly find: FindAuthorizable;
  readonly findDefinition: FindDefinition;
  readonly appOf: AppOf;
  readonly dialer: Dialer;
}

const provider = 'GoogleCloud';

/** Links buckets of Google Cloud Storage, with a pending grant or the key of a service account. */
export function createBuckets({ links, pendingGrants, find, findDefinition, appOf, dialer }: Deps) {
  /** Opens the bucket; rejects with the matching error when it cannot be opened. */
  async function prove({ source, definition, info }: GrantedDraft, tokens: Tokens | undefined, signal: AbortSignal): Promise<Proof> {
    try {
      const config = definition.parse(info, source.provider);
      return await probe({ definition, config, dialer, app: appOf(source), tokens, recall: async () => undefined, signal });
    } catch (error) {
      throw answerOf(error, { provider: source.title, info });
    }
  }

  async function save(owner: Owner, draft: GrantedDraft, { facts, completed }: Proof): Promise<SavedLink> {
    const saved = await links.add(owner, { ...draft, info: { ...draft.info, ...completed }, facts });
    if (!saved) throw appError('DUPLICATE_LINK', {});
    return saved;
  }

  /** Refuses a duplicate before opening the bucket, so that the user sees the reason that matters. */
  async function refuseLinked(owner: Owner, draft: GrantedDraft): Promise<void> {
    if (draft.allowsDuplicate !== true && (await links.isLinked(owner, draft))) throw appError('DUPLICATE_LINK', {});
  }

  async function addByGrant(caller: Caller, owner: Owner, stateId: string, draft: GrantedDraft, signal: AbortSignal): Promise<SavedLink> {
    const found = await find(provider);
    if (typeof found === 'string') throw appError('PROVIDER_NOT_SET_UP', {});
    const { source, authorization, env } = found;
    const parked = await pendingGrants.take(caller, owner.ownerId === caller.userId ? undefined : owner.ownerId, stateId);
    if (!parked) throw appError('AUTHORIZATION_NEEDED', { provider: source.title });
    const { tokens, current } = unsavedTokens(parked.grant, { provider, authorization, env });
    try {
      const whole = { ...draft, info: { ...parked.info, ...draft.info } };
      await refuseLinked(owner, whole);
      const proof = await prove(whole, tokens, signal);
      return await save(owner, { ...whole, owned: { grant: current(), owner: ownerOf(env.app, parked.info) } }, proof);
    } catch (error) {
      // The grant stays pending, so that the user can correct the form.
      await parked.putBack(current());
      throw error;
    }
  }

  return {
    /**
     * Opens the bucket and saves the link. Rejects with BUCKET_NOT_FOUND and related errors, DUPLICATE_LINK, DUPLICATE_LINK_NAME, INVALID_NAME, and
     * with AUTHORIZATION_NEEDED when the stateId belongs to another session, is spent or has expired.
     */
    async add(caller: Caller, input: BucketDraft, signal: AbortSignal): Promise<SavedLink> {
      const {
        name: linkName,
        bucketName,
        directoryStructure = directoryStructures.simple,
        stateId,
        serviceAccountKey,
        continueAnyway,
      } = input;
      const owner = await links.ownerOf(caller.userId, input.orgOid);
      const { definition, source } = await definitionOf(provider, findDefinition);
      const draft = { source, definition, name: givenName({ linkName }), allowsDuplicate: continueAnyway === true };
      const info = { bucketName, directoryStructure };
      refuseUnknownChoices(families.s3, info, {});
      if (stateId) return addByGrant(caller, owner, stateId, { ...draft, info }, signal);
      if (!serviceAccountKey) throw appError('MISSING_PARAMETER', {});
      const keyed = { ...draft, info: { ...info, serviceAccountKey } };
      await refuseLinked(owner, keyed);
      return save(owner, keyed, await prove(keyed, undefined, signal));
    },
  };
}
