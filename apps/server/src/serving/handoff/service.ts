import {
  type HandoffAction,
  type ProcessData,
  type ReplyOf,
  type handoffStatus,
  type startHandoff,
  appError,
  handoffStates,
  parseLinkUri,
  pickerPath,
} from '@sheaf/contract';
import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { HandoffRow, HandoffStore } from './store.ts';

/** Seconds within which the user must choose. */
const goodFor = 3600;

interface Deps {
  readonly store: HandoffStore;
  readonly hasPremium: (userId: string) => Promise<boolean>;
  readonly isLinkOf: (userId: string, userLinkId: string) => Promise<boolean>;
  readonly publicUrl: string;
  readonly now: Clock;
}

export interface HandoffWish {
  readonly action: HandoffAction;
  readonly name?: string | undefined;
  readonly evaluateMerge?: boolean | undefined;
}

export type Handoffs = ReturnType<typeof createHandoffs>;

/**
 * Folders that programs ask their user to choose. A process belongs to one user, is answered once and expires after an hour (TOKEN_SPENT afterwards).
 */
export function createHandoffs({ store, hasPremium, isLinkOf, publicUrl, now }: Deps) {
  async function get(userId: string, processToken: string): Promise<HandoffRow> {
    const row = await store.find(userId, hashToken(processToken), now());
    if (!row) throw appError('TOKEN_SPENT', {});
    return row;
  }

  return {
    /** Starts a process; only its token's hash is stored. */
    async start(userId: string, { action, name = '', evaluateMerge }: HandoffWish): Promise<ReplyOf<typeof startHandoff>> {
      const processToken = newToken();
      await store.insert({
        tokenHash: hashToken(processToken),
        accountId: userId,
        action,
        name: name.trim(),
        state: 'pending',
        destinationPath: null,
        linkUri: null,
        expiresAt: now() + goodFor,
      });
      return { processToken, url: publicUrl + pickerPath({ processToken, action, evaluateMerge: evaluateMerge ?? action === 'sync' }) };
    },

    async status(userId: string, processToken: string): Promise<ReplyOf<typeof handoffStatus>> {
      const { state, action, name, destinationPath, linkUri } = await get(userId, processToken);
      return {
        state: handoffStates.find((one) => one === state) ?? 'pending',
        action: action === 'backup' ? 'backup' : 'sync',
        ...(name !== '' && { name }),
        ...(destinationPath !== null && { destinationPath }),
        ...(linkUri !== null && { linkUri }),
      };
    },

    /** Throws TOKEN_SPENT, MISSING_PARAMETER, INVALID_LINK_URI for a folder in no link of the user, NO_BACKUP_SUBSCRIPTION. */
    async complete(userId: string, processToken: string, chosen: ProcessData): Promise<void> {
      const { action } = await get(userId, processToken);
      if (chosen.destinationPath === '' || chosen.linkUri === '') throw appError('MISSING_PARAMETER', {});
      const address = parseLinkUri(chosen.linkUri);
      if (!address || !(await isLinkOf(userId, address.userLinkId))) throw appError('INVALID_LINK_URI', {});
      if (action === 'backup' && !(await hasPremium(userId))) throw appError('NO_BACKUP_SUBSCRIPTION', {});
      const { destinationPath, linkUri } = chosen;
      if (!(await store.complete(userId, hashToken(processToken), now(), { destinationPath, linkUri }))) throw appError('TOKEN_SPENT', {});
    },

    /** Throws TOKEN_SPENT. */
    async cancel(userId: string, processToken: string): Promise<void> {
      if (!(await store.cancel(userId, hashToken(processToken), now()))) throw appError('TOKEN_SPENT', {});
    },

    sweep: () => store.removeExpired(now()),
  };
}
