import { allLinks, linkAuthUrl } from '@sheaf/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '#/lib/http/call-error.ts';
import { withQuery } from '#/lib/http/form-body.ts';
import { send } from '#/lib/http/send.ts';
import { logError } from '#/lib/log.ts';
import { useQueryParams } from '#/lib/navigation/location.ts';
import { memberOf, useMember } from './member.ts';

/** Marks the return address of an authorization, so that one without effect is not started again automatically. */
const marker = 'authorized';

/**
 * If a link needs a new authorization, redirects to the provider; `authorize` repeats that for a user who has just returned. Undefined for other
 * errors.
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
