import { createHash } from 'node:crypto';
import type { Definition, FindDefinition } from '@sheaf/connectors';
import { type LinkDraft, type Source, appError, secretMask } from '@sheaf/contract';
import { answerOf } from '#/links/connections/answers.ts';
import { definitionOf, storedInfo } from '#/links/connections/connections.ts';
import { secretPlace } from '#/secrets/reseal.ts';
import type { Vault } from '#/secrets/vault.ts';
import { type Info, infoOf, isOtherWay, refuseUnknownChoices, unmasked, withFixed } from './connection-info.ts';
import { type Family, sourceOf } from './families.ts';
import type { Owner } from './owner.ts';
import type { LinkRow, LinkStore } from './store.ts';

/** A draft with complete connection info: secrets instead of masks, parsed by its connector. */
export interface Prepared {
  readonly family: Family;
  readonly source: Source;
  readonly definition: Definition;
  /** The link to change. */
  readonly existing?: LinkRow;
  /** Secrets included. */
  readonly info: Info;
  /** As the caller sent it. */
  readonly sent: Info;
  readonly config: unknown;
  readonly identity: string;
  /** Equal for two drafts with the same account and the same secrets. */
  readonly fingerprint: string;
}

interface Deps {
  readonly store: LinkStore;
  readonly vault: Vault;
  readonly findDefinition: FindDefinition;
}

/** Prepares drafts of links; see {@link Prepared}. */
export function createPreparing({ store, vault, findDefinition }: Deps) {
  /** Stored secrets that the draft does not replace; the others need not be readable. */
  async function secretsOf(linkId: string, sent: Info): Promise<Info> {
    const needed = (await store.secretsOf(linkId)).filter(({ field }) => (sent[field] ?? secretMask) === secretMask);
    return Object.fromEntries(needed.map(({ field, sealed }) => [field, vault.open(secretPlace(linkId, field), sealed)]));
  }

  /** The link that a mask without a userLinkId refers to: the account's own with the same target. */
  async function meantByMask(accountId: string, definition: Definition, source: Source, info: Info): Promise<LinkRow | undefined> {
    if (!Object.values(info).includes(secretMask)) return undefined;
    const config = understood(definition, source, info);
    const [link] = await store.findByIdentity(accountId, definition.identity(config));
    return link;
  }

  return {
    /**
     * Rejects with INVALID_LINK_URI for a link of another owner, with 107 and related errors for unusable info, and with SECRETS_NEEDED where stored
     * secrets would be sent in another way.
     */
    async prepare(family: Family, { ownerId }: Owner, draft: LinkDraft): Promise<Prepared> {
      const named = draft.userLinkId === undefined ? undefined : await found(store, ownerId, draft.userLinkId);
      const source = sourceOf(family, draft.provider ?? named?.provider);
      const { definition } = await definitionOf(source.provider, findDefinition);
      const sent = infoOf(family, draft) ?? {};
      const existing = named ?? (await meantByMask(ownerId, definition, source, sent));
      // A session may use stored secrets but never reveal them, not even by changing the link's server.
      if (existing && Object.values(sent).includes(secretMask) && isOtherWay(family, storedInfo(existing), sent, definition.secrets))
        throw appError('SECRETS_NEEDED', {});
      const stored = existing ? { ...storedInfo(existing), ...(await secretsOf(existing.id, sent)) } : {};
      const filled = unmasked(sent, stored);
      refuseUnknownChoices(family, filled, stored);
      const info = existing ? withFixed(family, filled, stored) : filled;
      const config = understood(definition, source, info);
      const identity = definition.identity(config);
      return {
        family,
        source,
        definition,
        ...(existing && { existing }),
        info,
        sent,
        config,
        identity,
        fingerprint: fingerprintOf(definition, identity, info),
      };
    },
    hasInfo: (family: Family, draft: LinkDraft): boolean => infoOf(family, draft) !== undefined,
  };
}

/** The account's link; rejects with INVALID_LINK_URI when there is none. */
export async function found(store: LinkStore, accountId: string, linkId: string): Promise<LinkRow> {
  const link = await store.find(accountId, linkId);
  if (!link) throw appError('INVALID_LINK_URI', {});
  return link;
}

/** The draft with some of its fields changed, and its target with them. */
export function withInfo(prepared: Prepared, change: Info): Prepared {
  const { definition, source } = prepared;
  const info = { ...prepared.info, ...change };
  const config = understood(definition, source, info);
  const identity = definition.identity(config);
  return { ...prepared, info, config, identity, fingerprint: fingerprintOf(definition, identity, info) };
}

function understood(definition: Definition, source: Source, info: Info): unknown {
  try {
    return definition.parse(info, source.provider);
  } catch (error) {
    throw answerOf(error, { provider: source.title, info });
  }
}

function fingerprintOf({ id, secrets }: Definition, identity: string, info: Info): string {
  const parts = [id, identity, ...secrets.map((field) => info[field] ?? '')];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
