import { type LinkGroup, type LinkRow, type Source, findSource, mayInSpace, sources } from '@sheaf/contract';

/** A row of My links: the server's data and what is derived from it. */
export interface Link extends LinkRow {
  readonly activated: 'True';
  readonly sourceType: string;
}

/** A heading of My links with its rows. */
export interface LinksOfType {
  readonly sourceType: string;
  readonly title: string;
  readonly logoUrl: string;
  readonly links: readonly Link[];
}

const imageName = (provider: string): string => (provider === 'Org' ? 'org' : (findSource(provider)?.provider.toLowerCase() ?? 'generic'));

/** Address of a provider's logo; an unknown provider gets the generic one. */
export const logoUrl = (provider: string): string => `/images/logos/${imageName(provider)}.svg`;

/** Address of a provider's mark without its tile. */
export const menuIconUrl = (provider: string): string => `/images/menu/${imageName(provider)}.svg`;

/** The provider whose logo stands for a whole source type. */
function typeProvider(sourceType: string): string {
  const ofType: readonly Source[] = sources.filter((source: Source) => source.sourceTypes.includes(sourceType));
  return ofType[0]?.provider ?? sourceType;
}

/** An organisation's link: listed among one's own, but changed only on the organisation's page. */
export const isOfOrganisation = ({ sourceAccountName, isOrganization }: LinkRow): boolean => sourceAccountName === 'Org' || isOrganization;

/** Viewers of a Space cannot share its items publicly. */
export const mayShare = ({ spaceRole }: LinkRow): boolean => spaceRole === undefined || mayInSpace(spaceRole, 'share');

/** Unlinking a Space means leaving it, which its owner cannot: owners end it in the list of Spaces. */
export const mayUnlink = ({ spaceRole }: LinkRow): boolean => spaceRole !== 'owner';

/** The groups of My links in display order: by title, the organisation's last; rows by name. */
export function linksByType(groups: readonly LinkGroup[]): LinksOfType[] {
  const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
  return groups
    .map(({ sourceType, title, links }) => ({
      sourceType,
      title,
      logoUrl: logoUrl(typeProvider(sourceType)),
      links: links.map((row) => completed(row, sourceType)).toSorted((one, other) => order.compare(one.name, other.name)),
    }))
    .toSorted(
      (one, other) => Number(one.sourceType === 'Org') - Number(other.sourceType === 'Org') || order.compare(one.title, other.title),
    );
}

function completed(row: LinkRow, sourceType: string): Link {
  return {
    ...row,
    linkUri: `/${row.userLinkId}`,
    disambiguatedName: row.name,
    activated: 'True',
    sourceType,
    thumbnailUrl: logoUrl(row.provider),
    menuIconUrl: menuIconUrl(row.provider),
  };
}
