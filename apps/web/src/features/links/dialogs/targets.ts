import type { SavedLink, Source } from '@sheaf/contract';
import { inOrg, orgHome } from '../../../lib/org-address.ts';
import type { Mode } from './fields/field.ts';

/** Where a dialog may lead. */
export interface Targets {
  readonly cancel: string;
  /** Where an authorization comes back to, and a dialog in which nothing was changed. */
  readonly back: string;
  /** The address to go to once the link is saved. */
  readonly saved: (link: SavedLink) => string;
}

/** What the caller of a dialog knows. */
interface Given {
  readonly back?: string;
  readonly cancel?: string;
  readonly orgOid?: string | undefined;
}

/** The families with a page of their own types to come back to after an edit. */
const ownPages: Partial<Record<NonNullable<Source['family']>, string>> = {
  ftp: '/links/ftp',
  ofs: '/links/fileserver',
  sftp: '/links/sftp',
  sheafgateway: '/links/sheafgatewaycloudstorage',
  b2: '/links/b2cloudstorage',
  oracledocuments: '/links/oracledocuments',
};

/**
 * Where a dialog leads unless its caller says otherwise. A new link leads into it, a new bucket always; an edit returns to the
 * page of its type, or home where a type has none, and that of a link made by authorization leads into the link. What is done to an
 * organisation's link returns to the organisations.
 */
export function targetsOf(family: Source['family'], mode: Mode, { orgOid, ...given }: Given = {}): Targets {
  const ownPage = orgOid === undefined ? family && ownPages[family] : orgHome;
  const home = orgOid === undefined ? '/account/mysheaf' : orgHome;
  const picker = inOrg('/links', orgOid);
  if (mode === 'edit') {
    const back = given.back ?? ownPage ?? home;
    return { cancel: given.cancel ?? ownPage ?? picker, back, saved: ({ browseUrl }) => (family === 'oauth' ? browseUrl : back) };
  }
  const back = given.back ?? home;
  const opensLink = family === 's3' || back === home;
  return { cancel: given.cancel ?? picker, back, saved: ({ browseUrl }) => (opensLink ? browseUrl : back) };
}
