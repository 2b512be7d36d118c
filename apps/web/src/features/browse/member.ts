import { type LinkGroup, type LinkRow } from '@sheaf/contract';
import { createContext, useContext } from 'react';

/** As which member of an organisation items are looked at; undefined among one's own. */
export const MemberContext = createContext<string | undefined>(undefined);
export const useMember = (): string | undefined => useContext(MemberContext);

/** The membership through which the user reaches an organisation's link, as its address says. */
export function memberOf({ browseUrl }: Pick<LinkRow, 'browseUrl'>): string | undefined {
  return new URLSearchParams(browseUrl.split('?')[1]).get('orgMembershipOid') ?? undefined;
}

/** The membership that leads to the organisation's link of that name, where the address does not say it. */
export function memberByLink(groups: readonly LinkGroup[], linkName: string): string | undefined {
  const links = groups.flatMap((group) => group.links).filter(({ isOrganization }) => isOrganization);
  const link = links.find(({ name }) => name === linkName) ?? links.find(({ disambiguatedName }) => disambiguatedName === linkName);
  return link && memberOf(link);
}
