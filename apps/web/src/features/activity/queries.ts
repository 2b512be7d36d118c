import { exportAudit, listAudit, listOrgs, listSpaces, mayInOrg } from '@sheaf/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { withQuery } from '#/lib/http/form-body.ts';
import { send } from '#/lib/http/send.ts';

/** Selects a log: the account's own when neither is given. */
export interface LogRef {
  readonly spaceOid?: string;
  readonly orgOid?: string;
}

export const activityLog = (log: LogRef) =>
  infiniteQueryOptions({
    queryKey: ['activity', log],
    queryFn: ({ pageParam, signal }) => send(listAudit, { ...log, limit: 50, ...(pageParam !== '' && { before: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => (page.hasMore ? page.entries.at(-1)?.id : undefined),
    staleTime: 0,
  });

/** Logs that the user may read besides their own, keyed by their value in the address. */
export const readableLogs = queryOptions({
  queryKey: ['activity', 'logs'],
  queryFn: async ({ signal }) => {
    const [{ spaces }, { orgs }] = await Promise.all([send(listSpaces, {}, signal), send(listOrgs, {}, signal)]);
    return [
      ...spaces
        .filter(({ role }) => role === 'owner' || role === 'manager')
        .map(({ spaceOid, name }) => ({ value: `space ${spaceOid}`, label: `Space ${name}` })),
      ...orgs
        .filter(({ role }) => mayInOrg(role, 'audit'))
        .map(({ orgOid, name }) => ({ value: `org ${orgOid}`, label: `Organisation ${name}` })),
    ];
  },
});

export const exportAddress = (log: LogRef, format: 'csv' | 'json'): string => withQuery(exportAudit.path, { ...log, format });
