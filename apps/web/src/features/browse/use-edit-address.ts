import { findSource } from '@sheaf/contract';
import { useQuery } from '@tanstack/react-query';
import { CallError } from '#/lib/http/call-error.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { useHere } from '#/lib/navigation/location.ts';
import { linkGroups } from './listing/queries.ts';
import { useMember } from './member.ts';

/** Address of the dialog for new credentials when the storage refused the stored ones; it leads back to the current page. */
export function useEditAddress(linkName: string, error: unknown): string | undefined {
  const here = useHere();
  const isOwn = useMember() === undefined;
  const isRefused = error instanceof CallError && error.is('INVALID_CREDENTIALS', 'KEY_REFUSED');
  const { data } = useQuery({ ...linkGroups, enabled: isRefused && isOwn });
  const links = data?.activeSources.flatMap((group) => group.links) ?? [];
  const link = isRefused && isOwn ? links.find(({ name, isOrganization }) => name === linkName && !isOrganization) : undefined;
  const route = link && findSource(link.provider)?.route;
  return route && withQuery(`/links/${route}`, { userLinkId: link.userLinkId, redirectUrl: here, cancelUrl: here });
}
