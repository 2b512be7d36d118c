import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addGoogleCloudLink, completeLinkAuth, deleteLink, linkOutcomePath, sources, testProvider } from '@sheaf/contract';
import { type Providers, startProviders } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { listRoot, rowsOf } from '#/testing/links.ts';
import { answerIn, follow, publicUrl, startPath } from '#/testing/storages/drive.ts';

let providers: Providers | undefined;
before(async () => {
  providers = await startProviders(`${publicUrl}/oauth`);
});
after(() => providers?.stop());

const catalogue = sources.flatMap((source) => ('settings' in source ? [source] : []));
/** Closed, and without an interface that a compatible server could offer. */
const beyondLinking = new Set(['Canopy']);

for (const { provider, settings: stem } of catalogue.filter((source) => !beyondLinking.has(source.provider))) {
  test(`${provider}: tested by the operator, linked, opened, recognised as a duplicate and unlinked`, async (t) => {
    const simulated = providers?.of[stem];
    assert.ok(simulated, `${provider} has no simulator`);
    const { oauth } = simulated;
    const operators = { SHEAF_OPERATORS: 'boss@example.org' };
    const app = await testApp(t, {
      settings: { SHEAF_PUBLIC_URL: publicUrl, SHEAF_PRIVATE_NETWORKS: 'allow', ...providers?.settings, ...operators },
    });
    const user = await app.signUp('boss@example.org');
    await app.services.accounts.markVerified({ id: user.userId, email: user.email });
    assert.deepEqual(await user.ask(testProvider, { provider }), { isValid: true });

    const [person] = oauth.accounts.filter(({ id, email }) => provider !== 'DropboxTeams' || /noor/i.test(`${id} ${email}`));
    assert.ok(person);
    const go = async (): Promise<string> => {
      const address = await follow(user, startPath({ sourceType: provider, providerName: provider, authPrompt: 'true' }));
      return (await user.ask(completeLinkAuth, answerIn(await oauth.visit(address, person)))).url;
    };
    const link = async (): Promise<string> => {
      const end = new URL(await go(), publicUrl);
      const stateId = end.searchParams.get('stateId');
      if (stateId === null) return end.pathname;
      const response = await user.send(addGoogleCloudLink, { stateId, bucketName: 'mara-files' });
      return response.statusCode === 200
        ? response.json<{ data: { browseUrl: string } }>().data.browseUrl
        : linkOutcomePath(response.statusCode === 409 ? 'duplicate' : 'unexpectederror');
    };
    const end = await link();
    const [row] = await rowsOf(user);
    assert.equal(end, row?.browseUrl, app.log());
    assert.equal(row?.provider, provider);
    const opened = { services: app.services, user };
    const names = await listRoot(opened, row.userLinkId);
    assert.ok(names.length > 0);
    assert.equal(await link(), linkOutcomePath('duplicate'));
    await user.ask(deleteLink, { userLinkId: row.userLinkId });
    await app.services.background.idle();
    assert.doesNotMatch(app.log(), /background task failed/);
    simulated.simulator.assertClean();
  });
}

test('a personal account does not become a link of Dropbox Business, and the page says why', async (t) => {
  const simulated = providers?.of['DROPBOXTEAMS'];
  assert.ok(simulated);
  const { oauth } = simulated;
  const app = await testApp(t, { settings: { SHEAF_PUBLIC_URL: publicUrl, SHEAF_PRIVATE_NETWORKS: 'allow', ...providers?.settings } });
  const user = await app.signUp();
  const address = await follow(user, startPath({ sourceType: 'DropboxTeams', providerName: 'DropboxTeams' }));
  const [person] = oauth.accounts.filter(({ email }) => email === 'mara@example.org');
  assert.ok(person);
  const { url } = await user.ask(completeLinkAuth, answerIn(await oauth.visit(address, person)));
  assert.equal(url, '/link/auth/mismatch?reason=accountkind&provider=DropboxTeams');
  assert.deepEqual(await rowsOf(user), []);
});
