import { type LinkGroup, type LinkRow } from '@sheaf/contract';
import { createContext, useContext } from 'react';

/** The organisation membership under which items are accessed; undefined for one's own. */
export const MemberContext = createContext<string | undefined>(undefined);
export const useMember = (): string | undefined => useContext(MemberContext);

/** The membership for an organisation's link, from the link's address. */
export function memberOf({ browseUrl }: Pick<LinkRow, 'browseUrl'>): string | undefined {
  return new URLSearchParams(browseUrl.split('?')[1]).get('orgMembershipOid') ?? undefined;
}

/** The membership for the organisation's link of that name, when the address does not name it. */
export function memberByLink(groups: readonly LinkGroup[], linkName: string): string | undefined {
  const links = groups.flatMap((group) => group.links).filter(({ isOrganization }) => isOrganization);
  const link = links.find(({ name }) => name === linkName) ?? links.find(({ disambiguatedName }) => disambiguatedName === linkName);
  return link && memberOf(link);
}
