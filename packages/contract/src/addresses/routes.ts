/** A page of the web app. */
export interface Route {
  readonly name: string;
  /** Segments; `:name` matches one segment, a final `*` one or more, `:name?` one or none. */
  readonly pattern: string;
  /** Without menu bar and side menu. */
  readonly fullScreen?: true;
  /** Needs a session: visitors are sent to the sign-in page. */
  readonly guarded?: true;
  /** Shown without margins around the content. */
  readonly edgeToEdge?: true;
  /** Without Sheaf's bar and menu, even when signed in: for visitors, and for confirming a program's request. */
  readonly bare?: true;
}

/** The route map; the first match wins. The browser renders by it; the server uses it to recognise unknown paths. */
export const routes = [
  { name: 'start', pattern: '/', edgeToEdge: true },
  { name: 'about', pattern: '/about', edgeToEdge: true },
  { name: 'careers', pattern: '/careers', edgeToEdge: true },
  { name: 'forum', pattern: '/forum' },
  { name: 'forum', pattern: '/forum.html' },
  { name: 'browseRoot', pattern: '/browse', guarded: true },
  { name: 'browse', pattern: '/browse/*', guarded: true },
  { name: 'gallery', pattern: '/gallery/*', guarded: true },
  { name: 'browseOrg', pattern: '/browseorg/*', guarded: true },
  { name: 'galleryOrg', pattern: '/browsegalleryorg/*', guarded: true },
  { name: 'linkMarketplace', pattern: '/linkmarketplace' },
  { name: 'oauth', pattern: '/oauth' },
  { name: 'linkDeclined', pattern: '/link/auth/declined' },
  { name: 'linkConnectionError', pattern: '/link/auth/connectionerror' },
  { name: 'linkUnexpectedError', pattern: '/link/auth/unexpectederror' },
  { name: 'linkDesktopSuccess', pattern: '/link/auth/desktopsuccess/:sourceType?' },
  { name: 'linkDuplicate', pattern: '/link/auth/duplicate' },
  { name: 'linkMismatch', pattern: '/link/auth/mismatch' },
  { name: 'linkFormFtp', pattern: '/link/auth/ftp', guarded: true },
  { name: 'linkFormGoogleCloud', pattern: '/link/auth/googlecloud', guarded: true },
  { name: 'linkFormOfs', pattern: '/link/auth/ofs', guarded: true },
  { name: 'linkFormSheafGateway', pattern: '/link/auth/sheafgateway', guarded: true },
  { name: 'linkFormOracle', pattern: '/link/auth/oracle', guarded: true },
  { name: 'linkFormSftp', pattern: '/link/auth/sftp', guarded: true },
  { name: 'linkFormWebdav', pattern: '/link/auth/webdav', guarded: true },
  { name: 'loginAccountDisabled', pattern: '/login/accountdisabled', fullScreen: true },
  { name: 'loginAccountNotFound', pattern: '/login/accountnotfound', fullScreen: true },
  { name: 'loginClientDisabled', pattern: '/login/clientdisabled', fullScreen: true },
  { name: 'loginConnectionError', pattern: '/login/connectionerror', fullScreen: true },
  { name: 'loginUnexpectedError', pattern: '/login/unexpectederror', fullScreen: true },
  { name: 'loginDeclined', pattern: '/login/declined', fullScreen: true },
  { name: 'loginUserDisabled', pattern: '/login/userdisabled', fullScreen: true },
  { name: 'loginNotAdmitted', pattern: '/login/notadmitted', fullScreen: true },
  { name: 'loginWrongAccount', pattern: '/login/wrongaccount', fullScreen: true },
  { name: 'loginWebSuccess', pattern: '/login/websuccess', fullScreen: true },
  { name: 'loginStart', pattern: '/login/start', fullScreen: true },
  { name: 'forgotPassword', pattern: '/login/forgot', fullScreen: true },
  { name: 'resetPassword', pattern: '/login/reset', fullScreen: true },
  { name: 'loginSuccess', pattern: '/auth/loginsuccess', fullScreen: true },
  { name: 'signup', pattern: '/auth/signup', fullScreen: true },
  { name: 'signupDeclined', pattern: '/signup/declined' },
  { name: 'signupStart', pattern: '/signup/start', fullScreen: true },
  { name: 'logout', pattern: '/logout', fullScreen: true },
  { name: 'welcome', pattern: '/welcome', fullScreen: true, guarded: true },
  { name: 'welcomeEmail', pattern: '/welcome-email', guarded: true },
  { name: 'publicGallery', pattern: '/s/g/*', bare: true },
  { name: 'publicLink', pattern: '/s/*', bare: true },
  { name: 'download', pattern: '/download' },
  { name: 'downloadDesktop', pattern: '/downloaddesktop' },
  { name: 'sharedLinks', pattern: '/shared', guarded: true },
  { name: 'sharedLinks', pattern: '/shared/*', fullScreen: true, guarded: true },
  { name: 'sharedLinks', pattern: '/sharelink/*', fullScreen: true, guarded: true },
  { name: 'linkProcessing', pattern: '/linkprocessing', fullScreen: true },
  { name: 'linkProcessingError', pattern: '/linkprocessing/requesterror', fullScreen: true },
  { name: 'previewGallery', pattern: '/preview/gallery/*', guarded: true },
  { name: 'previewList', pattern: '/preview/list/*', guarded: true },
  { name: 'myPage', pattern: '/account/mysheaf', guarded: true },
  { name: 'vault', pattern: '/vaults/:vaultId', guarded: true, edgeToEdge: true },
  { name: 'profile', pattern: '/account/profile', guarded: true },
  { name: 'subscriptions', pattern: '/account/subscriptions', guarded: true },
  { name: 'billing', pattern: '/account/billing', guarded: true },
  { name: 'upgrade', pattern: '/account/upgrade', guarded: true },
  { name: 'authCodes', pattern: '/account/authcodes', guarded: true },
  { name: 'appPasswords', pattern: '/account/apppasswords', guarded: true },
  { name: 'agents', pattern: '/account/agents', guarded: true },
  { name: 'confirmDevice', pattern: '/device', bare: true, guarded: true },
  { name: 'allowAgent', pattern: '/agents/allow', bare: true, guarded: true },
  { name: 'connect', pattern: '/connect/:userLinkId', guarded: true },
  // Opened from a mail, possibly on a device without a session.
  { name: 'verifyEmail', pattern: '/account/verifyemail' },
  { name: 'links', pattern: '/links', guarded: true },
  { name: 'linkSource', pattern: '/links/:sourceType', guarded: true },
  { name: 'linkWebService', pattern: '/linkwebservice', guarded: true },
  { name: 'orgLinkWebService', pattern: '/orglinkwebservice', guarded: true },
  { name: 'operatorPeople', pattern: '/operator/people', guarded: true },
  { name: 'operatorBackups', pattern: '/operator/backups', guarded: true },
  { name: 'operatorHealth', pattern: '/operator/health', guarded: true },
  { name: 'operatorLimits', pattern: '/operator/limits', guarded: true },
  { name: 'operatorSettings', pattern: '/operator/settings', guarded: true },
  { name: 'operatorJobs', pattern: '/operator/jobs', guarded: true },
  { name: 'operatorProviders', pattern: '/operator/providers', guarded: true },
  { name: 'folderPicker', pattern: '/getfolder', guarded: true },
  { name: 'addOnBackup', pattern: '/add-ons/backup', guarded: true },
  { name: 'addOnSpaces', pattern: '/add-ons/spaces', guarded: true },
  { name: 'upgrade', pattern: '/upgrade', guarded: true },
  { name: 'orgAccess', pattern: '/org-access', guarded: true },
  { name: 'orgSubscription', pattern: '/org/subscription', guarded: true },
  { name: 'orgBilling', pattern: '/org/billing', guarded: true },
  { name: 'orgMembers', pattern: '/org/members', guarded: true },
  { name: 'orgDirectory', pattern: '/org/directory', guarded: true },
  { name: 'transfers', pattern: '/transfers', guarded: true },
  { name: 'transfer', pattern: '/transfers/:transferId', guarded: true },
  { name: 'usage', pattern: '/usage', guarded: true },
  { name: 'duplicates', pattern: '/duplicates', guarded: true },
  { name: 'changes', pattern: '/account/changes', guarded: true },
  { name: 'activity', pattern: '/account/activity', guarded: true },
  { name: 'accountData', pattern: '/account/data', guarded: true },
  { name: 'operatorBilling', pattern: '/operator/billing', guarded: true },
  // Opened from a mail, possibly without an account.
  { name: 'spaceInvitation', pattern: '/invitation/space', bare: true },
  { name: 'orgInvitation', pattern: '/invitation/org', bare: true },
] as const satisfies readonly Route[];
export type RouteName = (typeof routes)[number]['name'];

interface RouteMatch {
  readonly route: Route & { readonly name: RouteName };
  /** Values of each `:name`, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Value of `*`, still percent-encoded; empty without one. */
  readonly splat: string;
}

/** The page at this path (without query and hash), or undefined. Ignores a trailing slash. */
export function matchRoute(pathname: string): RouteMatch | undefined {
  const path = pathname === '/' ? pathname : pathname.replace(/\/$/, '');
  for (const route of routes) {
    const found = compile(route.pattern).exec(path);
    if (!found) continue;
    const { splat = '', ...encoded } = found.groups ?? {};
    const named = Object.entries(encoded).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const params = Object.fromEntries(named.map(([name, value]) => [name, decoded(value)]));
    return { route, params, splat };
  }
  return undefined;
}

/** The page of a path that omits `/link/auth`, or undefined: the specification is ambiguous about this prefix. */
export function linkPageMeant(pathname: string): string | undefined {
  const path = `/link/auth${pathname}`;
  return matchRoute(pathname) === undefined && matchRoute(path) !== undefined ? path : undefined;
}

/** Prefixes of full-screen paths, whether or not a page exists there. */
const fullScreenStarts = ['/shared/', '/sharelink/', '/linkprocessing', '/login/'] as const;

/** Whether this path has neither menu bar nor side menu. */
export const isFullScreen = (pathname: string): boolean =>
  matchRoute(pathname)?.route.fullScreen === true || fullScreenStarts.some((start) => pathname.startsWith(start));

const compiled = new Map<string, RegExp>();
function compile(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const source = pattern
    .replaceAll('.', String.raw`\.`)
    .replace(/\/:(\w+)\?/g, '(?:/(?<$1>[^/]+))?')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
    .replace(/\*$/, '(?<splat>.+)');
  const expression = new RegExp(`^${source}$`);
  compiled.set(pattern, expression);
  return expression;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** Whether a path is validly percent-encoded; no other path has a page. */
export function isReadablePath(pathname: string): boolean {
  try {
    // The value is used, because the bundler drops calls of pure functions whose result is unused.
    return decodeURIComponent(pathname) !== '';
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/** Whether a path is that of a share, whose page is a separate document without the app. */
export function isSharePage(pathname: string): boolean {
  const name = matchRoute(pathname)?.route.name;
  return (name === 'publicLink' || name === 'publicGallery') && isReadablePath(pathname);
}
