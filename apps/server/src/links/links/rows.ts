import {
  type LinkGroup,
  type LinkRow as ShownLink,
  type SpaceRole,
  browseUrlOf,
  findSource,
  linkUriOf,
  sourceTypeTitle,
} from '@sheaf/contract';
import { readAttention } from '#/links/connections/attention.ts';
import type { OrgMembership } from './owner.ts';
import type { LinkRow } from './store.ts';

export const logoUrlOf = (provider: string): string => `/images/logos/${provider.toLowerCase()}.svg`;
const menuIconUrlOf = (provider: string): string => `/images/menu/${provider.toLowerCase()}.svg`;

/** With a membership: browsed as a member of the organisation that owns the link. */
export const browseUrlOfLink = ({ name, provider }: Pick<LinkRow, 'name' | 'provider'>, membershipId?: string): string =>
  browseUrlOf({
    name,
    gallery: findSource(provider)?.gallery === true,
    ...(membershipId !== undefined && { orgMembershipOid: membershipId }),
  });

/** Marks a row as an organisation's, in place of an account name and of a source type. */
const organisation = 'Org';
type Org = Pick<OrgMembership, 'orgId' | 'membershipId' | 'name'>;

/** A link for display; a Space's with the user's role, and one created before the account's address was verified marked as such. */
export type GroupedLink = LinkRow & { readonly spaceRole?: SpaceRole; readonly isUnclaimed?: true };

/** A row of My links. */
function shown(link: GroupedLink, org?: Org): ShownLink {
  const { formType } = findSource(link.provider) ?? {};
  const isEnhanced = formType === 'S3' && link.sourceType.startsWith('S3X');
  return {
    userLinkId: link.id,
    name: link.name,
    disambiguatedName: link.name,
    sourceAccountName: org ? organisation : link.account,
    provider: link.provider,
    thumbnailUrl: logoUrlOf(link.provider),
    menuIconUrl: menuIconUrlOf(link.provider),
    isOrganization: org !== undefined,
    ...(formType !== undefined && { formType: isEnhanced ? 'S3X' : formType }),
    linkUri: linkUriOf(link.id, '/'),
    browseUrl: browseUrlOfLink(link, org?.membershipId),
    state: link.state === 'ok' || link.state === 'attention' ? link.state : 'unknown',
    ...(link.checkedAt !== null && { checkedAt: link.checkedAt }),
    ...(link.attention !== null && readAttention(link.attention)),
    ...(link.spaceRole && { spaceRole: link.spaceRole }),
    ...(link.isUnclaimed && { isUnclaimed: true }),
  };
}

const order = new Intl.Collator('en', { numeric: true });

/** Links grouped by source type, headings and names in alphabetical order; with an organisation its links. */
export function grouped(links: readonly GroupedLink[], org?: Org): LinkGroup[] {
  const bySourceType = Map.groupBy(links, ({ sourceType }) => sourceType);
  return [...bySourceType]
    .map(([sourceType, rows]) =>
      groupOf(
        sourceType,
        rows.map((row) => shown(row, org)),
      ),
    )
    .toSorted((a, b) => order.compare(a.title, b.title));
}

/** The links of all organisations under one heading; equal names are told apart by their organisation. */
export function groupedByOrganisation(links: readonly LinkRow[], orgs: readonly Org[]): LinkGroup[] {
  const byId = new Map(orgs.map((org) => [org.orgId, org]));
  const names = new Map<string, number>();
  for (const { nameKey } of links) names.set(nameKey, (names.get(nameKey) ?? 0) + 1);
  const told = new Map<string, number>();
  const rows = links.map((link) => {
    const org = byId.get(link.accountId);
    const row = shown(link, org);
    if (names.get(link.nameKey) === 1) return row;
    const name = `${link.name} (${org?.name ?? organisation})`;
    const number = (told.get(name) ?? 0) + 1;
    told.set(name, number);
    return { ...row, disambiguatedName: number === 1 ? name : `${name} ${number}` };
  });
  return rows.length === 0 ? [] : [groupOf(organisation, rows)];
}

const groupOf = (sourceType: string, links: readonly ShownLink[]): LinkGroup => ({
  sourceType,
  source_type: sourceType,
  title: sourceTypeTitle(sourceType),
  links: links.toSorted((a, b) => order.compare(a.disambiguatedName, b.disambiguatedName)),
});
