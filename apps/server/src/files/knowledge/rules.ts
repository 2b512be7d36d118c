import { ConnectorError } from '@sheaf/connectors';
import { AppError, type MessageCode } from '@sheaf/contract';
import type { Config } from '#/platform/config/config.ts';
import type { LinkKnowledge } from './store.ts';

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Milliseconds after a user's last request to the link until Sheaf reads its folders again. */
export const idleAfter = 20_000;
/** Milliseconds after a user's look in which changes are asked for as often as {@link feedEvery}. */
const inUse = 2 * minute;
/** Milliseconds between two questions for changes while the link is used: with the work, what others change shows within a minute. */
const feedEvery = 25_000;

/** Refusals that concern one folder only; after any other the whole link is left alone for a while. */
const ofFolder: ReadonlySet<MessageCode> = new Set([
  'SOURCE_FORBIDS',
  'SOURCE_CANNOT',
  'FOLDER_TOO_LARGE',
  'ITEM_NOT_FOUND',
  'NOT_A_FOLDER',
]);
export const concernsFolder = (error: unknown): error is AppError => error instanceof AppError && ofFolder.has(error.messageCode);

/** Whether Sheaf may look into the link by itself: on for a person's own link until they switch it off, for an organisation's once somebody switches it on. */
export function isKept(
  { isWanted, isOfOrganisation }: Pick<LinkKnowledge, 'isWanted' | 'isOfOrganisation'>,
  crawl: Config['crawl'],
): boolean {
  if (crawl === 'off') return false;
  return isWanted ?? (crawl === 'on' && !isOfOrganisation);
}

/** Whether Sheaf may do that now. */
export const mayLook = (link: LinkKnowledge, crawl: Config['crawl']): boolean =>
  isKept(link, crawl) && link.isUsable && !link.needsAttention;

/** Milliseconds until changes are asked for again. For an unused link it is as long as the time since its last use, up to a day. */
export function waitForChanges(usedAt: number, now: number): number {
  const unused = now - usedAt;
  return unused < inUse ? feedEvery : Math.min(day, unused);
}

/** Milliseconds until a source that has refused so often in a row is asked again; longer if it has said so. */
export function waitAfterRefusal(refusals: number, { cause }: AppError): number {
  const asked = cause instanceof ConnectorError ? (cause.retryAfter ?? 0) : 0;
  return Math.max(asked, Math.min(day, minute * 2 ** Math.min(refusals, 20)));
}

/** When the source is asked for changes next: as planned, or sooner after a hint that no question has followed yet; undefined where it reports none. */
export function questionAt({ feedAt, hintedAt, askedAt = 0 }: Pick<LinkKnowledge, 'feedAt' | 'hintedAt' | 'askedAt'>): number | undefined {
  if (feedAt === undefined || hintedAt === undefined || hintedAt <= askedAt) return feedAt;
  return Math.min(feedAt, hintedAt);
}
