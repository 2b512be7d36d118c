import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFullScreen, matchRoute, routes } from './routes.ts';

const nameAt = (path: string): string | undefined => matchRoute(path)?.route.name;

test('the first match wins: a gallery share is not a list share [RT-002]', () => {
  assert.equal(nameAt('/s/g/x'), 'publicGallery');
  assert.equal(nameAt('/s/x'), 'publicLink');
  assert.equal(nameAt('/s/gx/y'), 'publicLink');
});

test('a path outside the map has no page', () => {
  for (const path of ['/nowhere', '/download/x', '/s', '/gallery', '/forumxhtml', '/linkprocessing/x', '/account', '//about', '/About'])
    assert.equal(nameAt(path), undefined, path);
});

test('a splat keeps its encoding, a named segment is decoded, and an optional one may be absent', () => {
  assert.equal(matchRoute('/browse/a%2Fb/c%20d')?.splat, 'a%2Fb/c%20d');
  assert.deepEqual(matchRoute('/link/auth/desktopsuccess/My%20Drive')?.params, { sourceType: 'My Drive' });
  assert.deepEqual(matchRoute('/link/auth/desktopsuccess')?.params, {});
  assert.equal(matchRoute('/links/%zz')?.params['sourceType'], '%zz');
});

test('a trailing slash is ignored', () => {
  assert.equal(nameAt('/browse/'), 'browseRoot');
  assert.equal(nameAt('/'), 'start');
});

test('every pattern matches the route of its own name', () => {
  for (const { name, pattern } of routes) assert.equal(nameAt(pattern.replace('*', 'a/b').replace(/:\w+\??/, 'x')), name, pattern);
});

test('exactly the paths that the specification names are full-screen', () => {
  const prefixes = ['/shared/', '/sharelink/', '/linkprocessing', '/login/'];
  const whole = ['/auth/loginsuccess', '/auth/signup', '/signup/start', '/welcome', '/logout'];
  for (const { pattern, ...route } of routes)
    assert.equal('fullScreen' in route, whole.includes(pattern) || prefixes.some((prefix) => pattern.startsWith(prefix)), pattern);
});

test('a path with a full-screen prefix is full-screen, even without a page [RT-098] [RT-099] [RT-100] [RT-101]', () => {
  for (const path of ['/shared/', '/shared/x', '/sharelink/', '/linkprocessing/other', '/login/nonsense', '/welcome', '/logout'])
    assert.ok(isFullScreen(path), path);
  for (const path of ['/shared', '/login', '/about', '/account/mysheaf', '/nowhere', '/']) assert.ok(!isFullScreen(path), path);
});

test("pages that show an account's data need a session", () => {
  const guarded = /^\/(account|links|browse|gallery|shared|sharelink|upgrade|org|add-ons|preview|welcome)/;
  for (const { pattern, ...route } of routes)
    if (guarded.test(pattern) && pattern !== '/account/verifyemail') assert.ok('guarded' in route, pattern);
});

/** Every page in the specification (linking.md and sharing.md, section 2), as literals. */
const specified =
  '/ /about /careers /forum /forum.html /browse /browse/x /gallery/x /browseorg/x /browsegalleryorg/x /linkmarketplace /oauth ' +
  '/link/auth/declined /link/auth/connectionerror /link/auth/unexpectederror /link/auth/desktopsuccess /link/auth/desktopsuccess/x ' +
  '/link/auth/duplicate /link/auth/ftp /link/auth/googlecloud /link/auth/mismatch /link/auth/ofs /link/auth/sheafgateway /link/auth/oracle ' +
  '/link/auth/sftp /link/auth/webdav /login/start /login/accountdisabled /login/accountnotfound /login/clientdisabled /login/connectionerror ' +
  '/login/unexpectederror /login/declined /login/userdisabled /login/wrongaccount /login/websuccess /auth/loginsuccess /auth/signup ' +
  '/signup/declined /signup/start /logout /welcome /welcome-email /s/g/x /s/x /download /shared /shared/x /sharelink/x /linkprocessing ' +
  '/linkprocessing/requesterror /preview/gallery/x /preview/list/x /account/mysheaf /account/profile /account/subscriptions /account/billing ' +
  '/account/upgrade /add-ons/backup /add-ons/spaces /upgrade /org-access /org/subscription /org/billing /links /links/oracledocuments ' +
  '/links/b2cloudstorage /links/ftp /links/fileserver /links/sheafgatewaycloudstorage /links/sftp';

test('every page in the specification has a route of its own', () => {
  for (const path of specified.split(' ')) assert.ok(nameAt(path), path);
});
