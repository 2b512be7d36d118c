import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Call, allLinks, deleteLink, familyCalls, getLinkConnectionInfo } from '@sheaf/contract';
import { davInfo, draftOf, ftpInfo, linkApp, s3Info, sftpInfo } from '#/testing/links.ts';

const planted = ['planted-one', 'planted-two', 'planted-three', 'planted-four', 'planted-five'] as const;
const [password, keyFile, secret, token, davPassword] = planted;

test('no secret of a link is in an answer, the log or the database, whatever happens to it', async (t) => {
  const { user, refuse, services, config, log } = await linkApp(t, { settings: { SHEAF_LOG_LEVEL: 'debug' } });
  const answers: string[] = [];
  const send = async (call: Call, input: Readonly<Record<string, unknown>>) => {
    const { body } = await user.send(call, input);
    answers.push(body);
    return body;
  };
  const drafts = [
    [familyCalls.sftp, { ...sftpInfo, password, keyfileContent: keyFile }],
    [familyCalls.ftp, { ...ftpInfo, password }],
    [familyCalls.s3, { ...s3Info, secret }],
    [familyCalls.webdav, { ...davInfo, password: davPassword }],
    [familyCalls.sheafgateway, { server: 'https://g.example', authjson: JSON.stringify({ token }) }],
  ] as const;

  for (const [calls, info] of drafts) {
    for (const kind of ['unauthorized', 'unexpected', 'badConfig', undefined] as const) {
      refuse(kind, { field: 'server' });
      for (const call of [...('validate' in calls ? [calls.validate] : []), calls.add]) await send(call, draftOf(info));
    }
    await send(calls.add, { connectionInfo: `{"password": "${password}"`, linkName: 'Broken' });
    await send(calls.add, draftOf(info, { linkName: '?' }));
  }
  const list = JSON.parse(await send(allLinks, {})) as { data: { activeSources: { links: { userLinkId: string }[] }[] } };
  const ids = list.data.activeSources.flatMap(({ links }) => links.map(({ userLinkId }) => userLinkId));
  assert.ok(ids.length >= drafts.length);
  for (const userLinkId of ids) {
    await send(getLinkConnectionInfo, { userLinkId });
    refuse('unauthorized');
    const { connector } = await services.connections.open(user.userId, userLinkId);
    await assert.rejects(connector.stat('/', { signal: AbortSignal.timeout(20_000) }));
  }
  await send(deleteLink, { userLinkId: ids[0] });
  await services.background.idle();

  assertFree(answers.join('\n'), 'an answer');
  assertFree(log(), 'the log');
  const rows = await Promise.all(
    (['link', 'link_secret', 'link_fact', 'account', 'session'] as const).map((table) =>
      services.database.db.selectFrom(table).selectAll().execute(),
    ),
  );
  assert.match(JSON.stringify(rows), /nas\.example/, 'the stored rows were not looked at');
  assertFree(JSON.stringify(rows), 'a stored row');
  for (const name of await readdir(config.dataDir)) {
    if (name.startsWith('sheaf.db')) assertFree(await readFile(join(config.dataDir, name), 'latin1'), name);
  }
});

/** The secrets in clear text or in an easily reversible form. */
function assertFree(text: string, place: string): void {
  for (const one of planted) {
    for (const form of [one, Buffer.from(one).toString('base64'), Buffer.from(one).toString('base64url'), Buffer.from(one).toString('hex')])
      assert.ok(!text.includes(form), `${place} holds ${one}`);
  }
}
