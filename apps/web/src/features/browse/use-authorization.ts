import { allLinks, linkAuthUrl } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '#/lib/http/call-error.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { send } from '#/lib/http/send.ts';
import { useQueryParams } from '#/lib/location.ts';
import { logError } from '#/lib/log.ts';
import { memberOf, useMember } from './member.ts';

/** Marks the address that an authorization comes back to, so that one that changed nothing is not begun again by itself. */
const marker = 'authorized';

/**
 * When a link can only be browsed after its user has authorized Sheaf again, leads the browser to the provider; `authorize` does so once more, for a
 * user who has just come back from there. Undefined when the error is about something else.
 */
export function useAuthorization(linkName: string, error: unknown): (() => void) | undefined {
  const isNeeded = error instanceof CallError && error.is('AUTHORIZATION_NEEDED');
  const hasReturned = useQueryParams()[marker] !== undefined;
  const memberOid = useMember();
  const { mutate } = useMutation({
    mutationFn: (name: string) => goToProvider(name, memberOid),
    onError: (fault) => logError('The provider’s address could not be had.', fault),
  });

  useEffect(() => {
    if (isNeeded && !hasReturned) mutate(linkName);
  }, [isNeeded, hasReturned, linkName, mutate]);
  return isNeeded ? () => mutate(linkName) : undefined;
}

async function goToProvider(linkName: string, memberOid: string | undefined): Promise<void> {
  const { activeSources } = await send(allLinks, {});
  const link = activeSources.flatMap(({ links }) => links).find((row) => row.name === linkName && memberOf(row) === memberOid);
  if (!link) return;
  const { pathname } = window.location;
  const backTo = (mark: string): string =>
    withQuery(pathname, { ...(memberOid !== undefined && { orgMembershipOid: memberOid }), [marker]: mark });
  const { url } = await send(linkAuthUrl, {
    linkUri: link.linkUri,
    redirectUrl: backTo('1'),
    cancelUrl: backTo('0'),
  });
  window.location.assign(url);
}
