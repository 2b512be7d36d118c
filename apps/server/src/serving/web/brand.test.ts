import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brandLogoPath, forgotPassword, sessionInfo } from '@sheaf/contract';
import { ConfigError, readConfig } from '#/platform/config/config.ts';
import { testApp } from '#/testing/app.ts';
import { mailsTo } from '#/testing/outbox.ts';

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-brand-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('name, logo, imprint and privacy page are public, and mails are signed with the name', async (t) => {
  const logo = join(await folderOf(t), 'logo.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const pages = { SHEAF_IMPRINT_URL: 'https://halm.example/imprint', SHEAF_PRIVACY_URL: 'https://halm.example/privacy' };
  const app = await testApp(t, { settings: { SHEAF_BRAND_NAME: 'Halm & Søn', SHEAF_BRAND_LOGO: logo, ...pages } });
  const { brand } = await app.visitor().ask(sessionInfo, {});
  assert.deepEqual(brand, {
    name: 'Halm & Søn',
    hasLogo: true,
    imprint: 'https://halm.example/imprint',
    privacy: 'https://halm.example/privacy',
  });
  const sent = await app.visitor().inject({ method: 'GET', url: brandLogoPath });
  assert.deepEqual([sent.statusCode, sent.headers['content-type']], [200, 'image/svg+xml']);
  assert.match(String(sent.headers['content-security-policy']), /^default-src 'none';.* sandbox$/);

  const user = await app.signUp();
  const { footerItems } = (await user.ask(sessionInfo, {})).menu;
  assert.deepEqual(
    footerItems.slice(-2).map(({ title, url }) => [title, url]),
    [
      ['Imprint', 'https://halm.example/imprint'],
      ['Privacy', 'https://halm.example/privacy'],
    ],
  );
  await app.visitor().ask(forgotPassword, { email: user.email });
  const mail = (await mailsTo(app, user.email)).at(-1) ?? '';
  assert.match(mail, /^-- \nHalm & Søn$/m);
  assert.doesNotMatch(mail, /^-- \nSheaf$/m);
});

test('without these settings Sheaf is shown, and there is no logo to fetch', async (t) => {
  const app = await testApp(t);
  assert.deepEqual((await app.visitor().ask(sessionInfo, {})).brand, {});
  assert.notEqual((await app.visitor().inject({ method: 'GET', url: brandLogoPath })).headers['content-type'], 'image/svg+xml');
});

test('a logo that cannot be shown, and an invalid name, are reported at the start', async (t) => {
  const folder = await folderOf(t);
  await writeFile(join(folder, 'large.png'), Buffer.alloc(256 * 1024 + 1));
  await writeFile(join(folder, 'logo.exe'), 'x');
  const wrong = [
    [{ SHEAF_BRAND_LOGO: join(folder, 'missing.png') }, /a file that can be read/],
    [{ SHEAF_BRAND_LOGO: join(folder, 'large.png') }, /256 KiB at most/],
    [{ SHEAF_BRAND_LOGO: join(folder, 'logo.exe') }, /\.svg, \.png or \.webp/],
    [{ SHEAF_BRAND_NAME: 'x'.repeat(41) }, /40 characters at most/],
    [{ SHEAF_IMPRINT_URL: 'javascript:alert(1)' }, /begins with http/],
  ] as const;
  for (const [settings, words] of wrong)
    assert.throws(
      () => readConfig(settings),
      (error) => error instanceof ConfigError && words.test(error.message),
    );
});
