import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { findSource } from '@sheaf/contract';
import { linkWebServiceUrl } from './link-web-service.ts';

function query(provider: string, more: object = {}) {
  const source = findSource(provider);
  assert.ok(source);
  const url = new URL(linkWebServiceUrl({ source, redirectUrl: '/account/mysheaf', cancelUrl: '/links', ...more }), 'http://x');
  return [url.pathname, Object.fromEntries(url.searchParams)] as const;
}

test('a personal authorization says what to link and where to return [OAU-20] [OAU-23] [OAU-24]', () => {
  assert.deepEqual(query('Sharepoint'), [
    '/linkwebservice',
    {
      sourceType: 'Sharepoint',
      providerName: 'Sharepoint',
      redirectUrl: '/account/mysheaf',
      cancelUrl: '/links',
      buildRedirectUrl: 'false',
      authPrompt: 'true',
    },
  ]);
});

test('the link and the token of the desktop client are sent only when they exist [OAU-21] [OAU-22]', () => {
  const [, plain] = query('Box');
  assert.ok(!('userLinkId' in plain) && !('handoffToken' in plain));
  const [, again] = query('Box', { userLinkId: 'x1', handoffToken: 't' });
  assert.equal(again['userLinkId'], 'x1');
  assert.equal(again['handoffToken'], 't');
});

test('an organisation’s flow has its own address and names the organisation [OAU-25]', () => {
  const [path, asked] = query('Box', { orgOid: 'o1' });
  assert.equal(path, '/orglinkwebservice');
  assert.equal(asked['orgOid'], 'o1');
  assert.equal(asked['authPrompt'], undefined);
});

test('the Google Cloud flow lets the server decide where it continues [GCS-13]', () => {
  assert.equal(query('GoogleCloud')[1]['buildRedirectUrl'], 'true');
});
