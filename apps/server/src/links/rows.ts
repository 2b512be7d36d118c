import { type LinkGroup, type LinkRow as ShownLink, browseUrlOf, findSource, linkUriOf, sourceTypeTitle } from '@sheaf/contract';
import type { LinkRow } from './store.ts';

export const logoUrlOf = (provider: string): string => `/images/logos/${provider.toLowerCase()}.svg`;
const menuIconUrlOf = (provider: string): string => `/images/menu/${provider.toLowerCase()}.svg`;

export const browseUrlOfLink = ({ name, provider }: Pick<LinkRow, 'name' | 'provider'>): string =>
  browseUrlOf({ name, gallery: findSource(provider)?.gallery === true });

/** A link as My links shows it. */
function shown(link: LinkRow): ShownLink {
  const { formType } = findSource(link.provider) ?? {};
  const isEnhanced = formType === 'S3' && link.sourceType.startsWith('S3X');
  return {
    userLinkId: link.id,
    name: link.name,
    disambiguatedName: link.name,
    sourceAccountName: link.account,
    provider: link.provider,
    thumbnailUrl: logoUrlOf(link.provider),
    menuIconUrl: menuIconUrlOf(link.provider),
    isOrganization: false,
    ...(formType !== undefined && { formType: isEnhanced ? 'S3X' : formType }),
    linkUri: linkUriOf(link.id, '/'),
    browseUrl: browseUrlOfLink(link),
    state: link.state === 'ok' || link.state === 'attention' ? link.state : 'unknown',
    ...(link.checkedAt !== null && { checkedAt: link.checkedAt }),
    ...(link.attention !== null && { attention: link.attention }),
  };
}

const order = new Intl.Collator('en', { numeric: true });

/** Links under one heading per source type, headings and names in alphabetical order. */
export function grouped(links: readonly LinkRow[]): LinkGroup[] {
  const bySourceType = Map.groupBy(links, ({ sourceType }) => sourceType);
  return [...bySourceType]
    .map(([sourceType, rows]) => ({
      sourceType,
      source_type: sourceType,
      title: sourceTypeTitle(sourceType),
      links: rows.map(shown).toSorted((a, b) => order.compare(a.name, b.name)),
    }))
    .toSorted((a, b) => order.compare(a.title, b.title));
}
