import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Call,
  addGoogleCloudLink,
  allLinks,
  completeLinkAuth,
  getLinkConnectionInfo,
  linkAuthUrl,
  listOperatedProviders,
  manageCalls,
} from '@sheaf/contract';
import { type DriveApp, answerIn, driveApp, follow, mara, noor, startPath } from '#/testing/storages/drive.ts';

/** All tokens in the provider's answers. */
function watchTokens({ drive }: DriveApp): Set<string> {
  const seen = new Set<string>();
  const { authorization } = drive.definition;
  assert.ok(authorization);
  const { redeem, renew } = authorization;
  assert.ok(renew);
  authorization.redeem = async (...ask) => {
    const redeemed = await redeem(...ask);
    for (const token of [redeemed.grant.accessToken, redeemed.grant.refreshToken ?? '']) seen.add(token);
    for (const secret of [ask[0].verifier, ask[0].code]) seen.add(secret);
    return redeemed;
  };
  authorization.renew = async (...ask) => {
    const grant = await renew(...ask);
    for (const token of [grant.accessToken, grant.refreshToken ?? '']) seen.add(token);
    return grant;
  };
  return seen;
}

test('no token, code, verifier or secret of an authorization is in an answer, an address, the log or the database', async (t) => {
  const app = await driveApp(t, { settings: { SHEAF_LOG_LEVEL: 'debug' } });
  const { user, drive, services } = app;
  const secrets = watchTokens(app);
  const answers: string[] = [];
  const send = async (call: Call, input: Readonly<Record<string, unknown>>) => {
    const { body, statusCode } = await user.send(call, input);
    // Values that the browser may see, because it transports them.
    answers.push(body);
    return { statusCode, data: (JSON.parse(body) as { data?: Record<string, string> }).data ?? {} };
  };
  const states: string[] = [];
  const goes = async (address: string, person: typeof mara | 'declines' = mara): Promise<string> => {
    const { data } = await send(completeLinkAuth, answerIn(await drive.oauth.visit(address, person)));
    return data['url'] ?? '';
  };
  const begin = async (query: Readonly<Record<string, string>> = {}): Promise<string> => {
    const address = await follow(user, startPath(query));
    answers.push(address);
    states.push(new URL(address).searchParams.get('state') ?? '');
    return address;
  };

  await goes(await begin());
  await goes(await begin({ handoffToken: 'planted-handoff' }));
  await goes(await begin(), 'declines');
  const form = await goes(await begin({ sourceType: 'GoogleCloud', providerName: 'GoogleCloud', buildRedirectUrl: 'true' }));
  const stateId = new URL(form, 'http://x').searchParams.get('stateId') ?? '';
  await send(addGoogleCloudLink, { stateId, bucketName: 'gone' });
  await send(addGoogleCloudLink, { stateId, bucketName: 'photos' });
  await send(addGoogleCloudLink, { serviceAccountKey: '{"private_key":"planted-key"}', bucketName: 'keyed' });
  await send(addGoogleCloudLink, { serviceAccountKey: 'planted-key', bucketName: 'keyed' });
  await goes(await begin({ sourceType: 'GoogleCloud', providerName: 'GoogleCloud', buildRedirectUrl: 'true' }));
  await begin({ handoffToken: 'planted-handoff' });
  await send(listOperatedProviders, {});
  drive.oauth.expireAll();
  for (const { userLinkId, linkUri } of (await user.ask(allLinks, {})).activeSources.flatMap(({ links }) => links)) {
    await send(getLinkConnectionInfo, { userLinkId });
    await send(manageCalls.validate, { userLinkId });
    await goes((await send(linkAuthUrl, { linkUri })).data['url'] ?? '', noor);
    drive.oauth.refuseRefresh();
    drive.oauth.expireAll();
    await send(manageCalls.validate, { userLinkId });
    drive.oauth.refuseRefresh(false);
  }
  await services.background.idle();

  for (const planted of [drive.clientSecret, 'planted-key', 'planted-handoff', stateId, ...states]) secrets.add(planted);
  assert.ok(secrets.size > 15, `${secrets.size} secrets`);
  // Values that the browser has to transport.
  const carried = new Set([stateId, 'planted-handoff', ...states]);
  assertFree(
    answers.join('\n'),
    [...secrets].filter((one) => !carried.has(one)),
    'an answer',
  );
  assertFree(app.log(), [...secrets], 'the log');
  const tables = ['link', 'link_secret', 'link_fact', 'link_grant', 'link_authorization', 'parked_grant'] as const;
  const rows = await Promise.all(tables.map((table) => services.database.db.selectFrom(table).selectAll().execute()));
  for (const [at, found] of rows.entries()) assert.ok(found.length > 0 || tables[at] === 'link_fact', `${tables[at]} was not looked at`);
  assertFree(JSON.stringify(rows), [...secrets], 'a stored row');
  for (const name of await readdir(app.config.dataDir)) {
    if (name.startsWith('sheaf.db')) assertFree(await readFile(join(app.config.dataDir, name), 'latin1'), [...secrets], name);
  }
});

/** The secrets in clear text or in an easily reversible form. */
function assertFree(text: string, secrets: readonly string[], place: string): void {
  for (const [at, one] of secrets.entries()) {
    for (const form of [one, Buffer.from(one).toString('base64'), Buffer.from(one).toString('base64url'), Buffer.from(one).toString('hex')])
      assert.ok(!text.includes(form), `${place} holds secret ${at}`);
  }
}
