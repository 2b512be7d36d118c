import type { SavedLink, Source } from '@sheaf/contract';
import { inOrg, orgHome } from '../../../lib/org-address.ts';
import type { Mode } from './fields/field.ts';

/** Where a dialog may lead. */
export interface Targets {
  readonly cancel: string;
  /** Return address of an authorization, and of a dialog without changes. */
  readonly back: string;
  /** Address to go to after saving. */
  readonly saved: (link: SavedLink) => string;
}

/** The caller's wishes for a dialog's targets. */
interface Given {
  readonly back?: string;
  readonly cancel?: string;
  readonly orgOid?: string | undefined;
}

/** Families with their own page to return to after an edit. */
const ownPages: Partial<Record<NonNullable<Source['family']>, string>> = {
  ftp: '/links/ftp',
  ofs: '/links/fileserver',
  sftp: '/links/sftp',
  sheafgateway: '/links/sheafgatewaycloudstorage',
  b2: '/links/b2cloudstorage',
  oracledocuments: '/links/oracledocuments',
};

/**
 * Targets of a dialog unless its caller overrides them. A new link opens itself, a new bucket always does; an edit returns to the type's page, or
 * home where it has none; a link made by authorization opens itself. Changes of an organisation's link return to the organisations.
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
