import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { accountPicture, getSession } from '@sheaf/contract';
import { smallJpeg, startOidc } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';

const publicUrl = 'http://sheaf.test';

async function pictureServer(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function appWith(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const oidc = await startOidc({ redirectUris: [`${publicUrl}/login/with/company/callback`] });
  t.after(() => oidc.stop());
  const app = await testApp(t, {
    settings: {
      SHEAF_PUBLIC_URL: publicUrl,
      SHEAF_PRIVATE_NETWORKS: 'allow',
      SHEAF_OIDC_COMPANY_ISSUER_URL: oidc.issuer,
      SHEAF_OIDC_COMPANY_CLIENT_ID: oidc.clientId,
      SHEAF_OIDC_COMPANY_CLIENT_SECRET: oidc.clientSecret,
      SHEAF_OIDC_COMPANY_SIGNUP: 'allow',
      ...settings,
    },
  });
  await app.signUp('operator@example.org');
  /** Signs in with that picture; returns the session once everything in the background is done. */
  const signIn = async (picture?: string) => {
    const browser = app.visitor();
    const follow = async (url: string): Promise<string> =>
      String((await browser.inject({ url: url.replace(publicUrl, '') })).headers.location);
    await follow(
      await oidc.visit(await follow('/login/with/company'), { email: 'mara@example.org', ...(picture !== undefined && { picture }) }),
    );
    await app.services.background.idle();
    const { pictureUrl } = await browser.ask(getSession, {});
    const shown = pictureUrl === undefined ? undefined : await browser.inject({ url: pictureUrl });
    return { browser, pictureUrl, shown };
  };
  return { app, signIn };
}

test("a person's picture comes from the provider, small and made anew, is fetched once, and goes when the provider takes it back", async (t) => {
  let asked = 0;
  const address = await pictureServer(t, (_request, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(smallJpeg);
  });
  const { app, signIn } = await appWith(t);
  const { shown } = await signIn(`${address}/mara.jpg`);
  assert.deepEqual(
    [shown?.statusCode, shown?.headers['content-type'], shown?.rawPayload.subarray(8, 12).toString()],
    [200, 'image/webp', 'WEBP'],
  );
  await signIn(`${address}/mara.jpg`);
  assert.equal(asked, 1);
  const other = await app.signUp();
  assert.equal((await other.refusal(accountPicture, {})).messageCode, 'NO_PICTURE', 'each sees their own');
  assert.equal((await app.app.inject({ url: accountPicture.path })).statusCode, 401);
  assert.equal((await signIn()).pictureUrl, undefined);
});

test('what is no picture, is too large or does not come is left out, does not disturb the sign-in, and is tried again', async (t) => {
  let isBroken = true;
  const address = await pictureServer(t, ({ url }, response) => {
    if (url === '/later' && !isBroken) return void response.writeHead(200).end(smallJpeg);
    if (url === '/large') return void response.writeHead(200).end(Buffer.alloc(5 << 20));
    if (url === '/svg')
      return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>');
    return void response.writeHead(404).end();
  });
  const { app, signIn } = await appWith(t);
  for (const picture of [
    `${address}/svg`,
    `${address}/large`,
    `${address}/missing`,
    'http://127.0.0.1:1/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'none',
  ])
    assert.equal((await signIn(picture)).pictureUrl, undefined, picture);
  assert.match(app.log(), /a picture could not be taken over/);
  assert.equal((await signIn(`${address}/later`)).pictureUrl, undefined);
  isBroken = false;
  assert.notEqual((await signIn(`${address}/later`)).pictureUrl, undefined);
});

test('an address that a person writes into their profile leads nowhere where links may not lead', async (t) => {
  let asked = 0;
  const address = await pictureServer(t, (_request, response) => {
    asked++;
    response.writeHead(200).end(smallJpeg);
  });
  const { signIn } = await appWith(t, { SHEAF_PRIVATE_NETWORKS: 'deny' });
  assert.equal((await signIn(`${address}/mara.jpg`)).pictureUrl, undefined);
  assert.equal(asked, 0);
});
