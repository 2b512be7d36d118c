import { type Place, parseLinkUri } from '@sheaf/contract';

/** The places in these links: one that was unlinked a moment ago may still have some. */
export function placesOfLinks(places: readonly Place[], links: readonly { readonly userLinkId: string }[]): readonly Place[] {
  const ids = new Set(links.map(({ userLinkId }) => userLinkId));
  return places.filter(({ linkUri }) => ids.has(parseLinkUri(linkUri)?.userLinkId ?? ''));
}
