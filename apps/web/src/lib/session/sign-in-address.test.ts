import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { endedSessionAddress, signInAddress, signUpAddress, visitorSignInAddress } from './sign-in-address.ts';

const asked = (address: string): [string, Record<string, string>] => {
  const { pathname, searchParams } = new URL(address, 'http://here.invalid');
  return [pathname, Object.fromEntries(searchParams)];
};
const spaces = '/account/mysheaf?catid=spaces';

test('a visitor signs in with cancelUrl, redirectUrl and flowOrigin as specified [ACC-01] [ACC-02] [ACC-03]', () => {
  const usual = { cancelUrl: '/about?a=1', redirectUrl: '/login/websuccess' };
  assert.deepEqual(asked(visitorSignInAddress('/about?a=1', 'menubar')), ['/login/start', { ...usual, flowOrigin: 'menubar' }]);
  assert.deepEqual(asked(visitorSignInAddress('/about?a=1', 'signuppopover', 'google')), [
    '/login/start',
    { ...usual, flowOrigin: 'signuppopover', provider: 'google' },
  ]);
});

test('an ended session on the pages of shares and spaces leads back to the specified addresses [SHR-18] [SPC-24]', () => {
  for (const [here, redirectUrl, flowOrigin] of [
    ['/shared', '/shared', 'shared'],
    ['/sharelink/x?a=1', '/shared', 'shared'],
    [spaces, `${spaces}&createDialog=true`, 'spaces'],
    [`${spaces}&createDialog=true`, `${spaces}&createDialog=true`, 'spaces'],
    ['/browse/Server?sort=size', '/browse/Server?sort=size', 'page'],
    ['/getfolder', '/getfolder', 'picker'],
  ] as const)
    assert.deepEqual(asked(endedSessionAddress(here)), ['/login/start', { redirectUrl, cancelUrl: here, flowOrigin }], here);
});

test('a page that needs a session returns to itself after signing in', () => {
  assert.deepEqual(asked(signInAddress('/org/x')), ['/login/start', { redirectUrl: '/org/x', cancelUrl: '/org/x', flowOrigin: 'org' }]);
});

test('an invited address is filled in when an account is created', () => {
  const path = '/invitation/org';
  assert.deepEqual(asked(signUpAddress(path, 'ben@ort.example')), [
    '/signup/start',
    { redirectUrl: path, cancelUrl: path, email: 'ben@ort.example' },
  ]);
});

test('no page builds the address of the sign-in page itself', async () => {
  const root = join(import.meta.dirname, '../..');
  const files = (await readdir(root, { recursive: true })).filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'));
  const builders: string[] = [];
  for (const file of files) if ((await readFile(join(root, file), 'utf8')).includes('/login/start')) builders.push(file);
  // The outcome pages name the page and get its query from `signInAddress`.
  assert.deepEqual(builders.toSorted(), ['features/pages/OutcomePage.tsx', 'features/pages/outcomes.ts']);
});
