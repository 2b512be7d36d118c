import { withQuery } from './http/form-body.ts';

/** Where a user's organisations are, and where whatever is done to one of their links leads back to. */
export const orgHome = '/account/mysheaf?catid=org';

/** `path`, which may have a query, with the organisation it is about; without one as it is. */
export const inOrg = (path: string, orgOid: string | undefined): string =>
  orgOid === undefined ? path : path.includes('?') ? `${path}&orgOid=${encodeURIComponent(orgOid)}` : withQuery(path, { orgOid });
