import type { MenuModel } from '@sheaf/contract';

const page = (id: string, title: string, route: string, query?: Record<string, string>) => ({
  id,
  title,
  route,
  ...(query ? { query } : {}),
});
const download = { id: 'download', title: 'Download', action: 'DOWNLOAD_DESKTOP' } as const;
const footerItems = [page('forum', 'Forum', '/forum'), page('about', 'About', '/about'), page('careers', 'Careers', '/careers')];

const signedIn: MenuModel = {
  items: [
    page('links', 'My links', '/account/mysheaf'),
    page('shares', 'Shared links', '/shared'),
    page('spaces', 'Spaces', '/account/mysheaf', { catid: 'spaces' }),
    page('encryption', 'Encryption', '/account/mysheaf', { catid: 'encryption' }),
    page('org', 'Organisation', '/account/mysheaf', { catid: 'org' }),
    { ...page('marketplace', 'Link marketplace', '/linkmarketplace'), newSection: true },
    page('backup', 'Backup', '/add-ons/backup'),
    download,
  ],
  footerItems,
  hasFooter: true,
};
const signedOut: MenuModel = {
  items: [page('about', 'About', '/about'), page('forum', 'Forum', '/forum'), download, page('signin', 'Sign in', '/login/start')],
  footerItems: [],
  hasFooter: false,
};

/** The side menu for someone who is signed in, or for a visitor. */
export const menuFor = (isSignedIn: boolean): MenuModel => (isSignedIn ? signedIn : signedOut);
