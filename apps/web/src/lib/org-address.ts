import { withQuery } from './http/form-body.ts';

/** Page of the user's organisations, and return address after changing one of their links. */
export const orgHome = '/account/mysheaf?catid=org';

/** Adds the organisation to `path`, which may have a query; unchanged without one. */
export const inOrg = (path: string, orgOid: string | undefined): string =>
  orgOid === undefined ? path : path.includes('?') ? `${path}&orgOid=${encodeURIComponent(orgOid)}` : withQuery(path, { orgOid });
