import type { Brand, Contact, MenuItem, MenuModel } from '@sheaf/contract';

/** The viewer of the menu, and the current page. */
interface Viewer {
  readonly isSignedIn: boolean;
  /** Whether the viewer operates this installation. */
  readonly isOperator: boolean;
  readonly billing: 'sandbox' | 'recurly' | 'off';
  readonly contact: Contact;
  readonly brand: Brand;
}

const page = (id: string, title: string, route: string, query?: Record<string, string>): MenuItem => ({
  id,
  title,
  route,
  ...(query ? { query } : {}),
});
type Child = NonNullable<MenuItem['menuParent']>['childMenu'][number];
const parent = (id: string, title: string, childMenu: Child[]): MenuItem => ({ id, title, menuParent: { childMenu } });
const child = (id: string, title: string, url: string): Child => ({ id, title, url });

const download: MenuItem = { id: 'download', title: 'Download', action: 'DOWNLOAD_DESKTOP' };
const footerOf = ({ forum, support }: Contact, { imprint, privacy }: Brand): MenuItem[] => [
  page('forum', 'Forum', '/forum'),
  ...(forum === undefined ? [] : [{ id: 'userforum', title: 'User forum', url: forum, newTab: true }]),
  ...(support === undefined ? [] : [{ id: 'support', title: 'Support', url: support }]),
  page('about', 'About', '/about'),
  page('careers', 'Careers', '/careers'),
  ...(imprint === undefined ? [] : [{ id: 'imprint', title: 'Imprint', url: imprint, newTab: true }]),
  ...(privacy === undefined ? [] : [{ id: 'privacy', title: 'Privacy', url: privacy, newTab: true }]),
];

const signedIn = ({ isOperator, billing, contact, brand }: Viewer): MenuModel => ({
  items: [
    page('links', 'My links', '/account/mysheaf'),
    page('shares', 'Shared links', '/shared'),
    page('spaces', 'Spaces', '/account/mysheaf', { catid: 'spaces' }),
    page('encryption', 'Encryption', '/account/mysheaf', { catid: 'encryption' }),
    page('org', 'Organisation', '/account/mysheaf', { catid: 'org' }),
    page('transfers', 'Transfers', '/transfers'),
    { ...page('marketplace', 'Link marketplace', '/linkmarketplace'), newSection: true },
    page('backup', 'Backup', '/add-ons/backup'),
    download,
    {
      ...parent('account', 'Account', [
        child('profile', 'Profile', '/account/profile'),
        // Without billing there is nothing to buy.
        ...(billing === 'off'
          ? []
          : [child('subscriptions', 'Subscriptions', '/account/subscriptions'), child('billing', 'Billing', '/account/billing')]),
        child('activity', 'Activity', '/account/activity'),
        child('data', 'Export and import', '/account/data'),
      ]),
      newSection: true,
    },
    ...(isOperator
      ? [
          parent('operator', 'This installation', [
            child('people', 'People', '/operator/people'),
            child('limits', 'Limits', '/operator/limits'),
            child('providers', 'Providers', '/operator/providers'),
            child('jobs', 'Jobs', '/operator/jobs'),
            child('backups', 'Backups', '/operator/backups'),
            child('settings', 'Settings', '/operator/settings'),
            child('health', 'Health', '/operator/health'),
            ...(billing === 'sandbox' ? [child('operator-billing', 'Billing sandbox', '/operator/billing')] : []),
          ]),
        ]
      : []),
  ],
  footerItems: footerOf(contact, brand),
  hasFooter: true,
});
const signedOut: MenuModel = {
  items: [page('about', 'About', '/about'), page('forum', 'Forum', '/forum'), download, page('signin', 'Sign in', '/login/start')],
  footerItems: [],
  hasFooter: false,
};

/** Returns the side menu of a signed-in user or of a visitor. */
export const menuFor = (viewer: Viewer): MenuModel => (viewer.isSignedIn ? signedIn(viewer) : signedOut);
