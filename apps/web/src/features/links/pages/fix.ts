import { findSource } from '@sheaf/contract';
import { linkWebServiceUrl } from '#/features/links/dialogs/link-web-service.ts';
import type { Link } from '#/features/links/rows.ts';

/** Fixes a link that needs attention: reauthorizes one made by authorization, edits any other. */
export function fix(link: Link, edit: () => void, orgOid?: string): void {
  const source = findSource(link.provider);
  if (source?.family !== 'oauth' && source?.family !== 'googlecloud') return edit();
  const back = window.location.pathname + window.location.search;
  window.location.assign(linkWebServiceUrl({ source, redirectUrl: back, cancelUrl: back, userLinkId: link.userLinkId, orgOid }));
}
