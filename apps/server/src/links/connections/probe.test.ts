import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createWebServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { type TestContext, test } from 'node:test';
import { deadlines } from '@sheaf/connectors';
import { familyCalls } from '@sheaf/contract';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, sftpInfo } from '#/testing/links.ts';

async function listening(t: TestContext, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

for (const [family, info, protocol] of [
  ['sftp', sftpInfo, 'SFTP'],
  ['ftp', ftpInfo, 'FTP'],
] as const)
  test(`${protocol} at a web server: the refusal names what the server is instead`, async (t) => {
    const server = await listening(
      t,
      createWebServer((_, response) => response.end('hello')),
    );
    const { signUp } = await testApp(t);
    const verdict = await (await signUp()).ask(familyCalls[family].validate, draftOf({ ...info, server }));
    assert.deepEqual([verdict.isValid, verdict.messageCode, verdict.reason], [false, 'WRONG_PROTOCOL', 'It is a web server (HTTP).']);
  });

test('a WebDAV server that takes the question and never answers: the refusal says how long it was awaited', async (t) => {
  const asked = new AbortController();
  const web = createWebServer(() => asked.abort());
  const server = await listening(t, web);
  t.after(() => web.closeAllConnections());
  const { signUp } = await testApp(t);
  const user = await signUp();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  // The time is over as soon as the server has the question.
  t.mock.method(AbortSignal, 'timeout', (ms: number) => (ms === deadlines.login ? asked.signal : timeout(ms)));
  const refusal = await user.refusal(
    familyCalls.webdav.add,
    draftOf({ ...davInfo, server: `http://${server}` }, { validateConnection: true }),
  );
  assert.deepEqual([refusal.errorCode, refusal.reason], [705, 'It did not answer within 20 seconds.']);
});
