import type { SearchedLink } from '@sheaf/contract';
import { formatAgo } from '#/lib/format.ts';

const isKnown = ({ foldersKnown, foldersTotal }: SearchedLink): boolean => foldersKnown > 0 && foldersKnown >= foldersTotal;

/** How much of the links the search knows: what is in folders that Sheaf does not know is not found. */
export function knowledgeText(links: readonly SearchedLink[], now = Date.now()): string {
  if (links.length === 0) return 'You have no links to search yet.';
  const known = links.filter(isKnown);
  const oldest = Math.min(...links.map(({ oldestLook }) => oldestLook ?? Infinity));
  const age = Number.isFinite(oldest) ? ` Oldest look ${formatAgo(oldest, now)}.` : '';
  if (known.length === links.length) return `${links.length === 1 ? 'The link is' : `All ${links.length} links are`} fully known.${age}`;
  const [least] = links
    .filter((link) => !isKnown(link))
    .sort((a, b) => b.foldersTotal - b.foldersKnown - (a.foldersTotal - a.foldersKnown));
  const part =
    least === undefined || least.foldersKnown === 0
      ? `${least?.name ?? ''}: not looked at yet.`
      : `${least.name}: ${least.foldersKnown} of about ${least.foldersTotal} folders known.`;
  return `${links.length === 1 ? '' : `${known.length} of ${links.length} links fully known. `}${part}${age}`;
}
