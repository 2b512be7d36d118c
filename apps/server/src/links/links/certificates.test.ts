import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { familyCalls, getLinkConnectionInfo, secretMask } from '@sheaf/contract';
import { certificateFor, makeAuthority, startApache, startProftpd } from '@sheaf/testbed';
import { testApp } from '#/testing/app.ts';
import { davInfo, draftOf, ftpInfo, listRoot, rowsOf } from '#/testing/links.ts';
import { families } from './families.ts';

const { ftp, webdav } = familyCalls;
const authority = await makeAuthority();
setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);

const setting = async (t: TestContext) => {
  const app = await testApp(t);
  return { ...app, user: await app.signUp() };
};

test('FTP: a certificate is reported with its fingerprint, trusted by it, and another one is refused and shown', async (t) => {
  const app = await setting(t);
  const proxy = await switchable(t);
  const [first, second] = [
    await startProftpd({ tls: await certificateFor('127.0.0.1') }),
    await startProftpd({ tls: await certificateFor('127.0.0.1', authority, { expired: true }) }),
  ];
  t.after(() => Promise.all([first.stop(), second.stop()]));
  proxy.leadTo(first.port);
  const login = { username: first.user, password: first.password };
  const info = { ...ftpInfo, ...login, server: `127.0.0.1:${proxy.port}`, path: '' };
  const verdict = await app.user.ask(ftp.validate, draftOf(info));
  assert.deepEqual([verdict.isValid, verdict.errorCode, verdict.messageCode], [false, 655, 'CERTIFICATE_SELF_SIGNED']);
  assert.match(verdict.certificate ?? '', /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);

  const trusting = { ...info, enforceSSL: 'IGNORE_MATCH', acceptedCertificate: verdict.certificate ?? '' };
  assert.deepEqual(await app.user.ask(ftp.validate, draftOf(trusting)), { isValid: true });
  const { userLinkId } = await app.user.ask(ftp.add, draftOf(trusting));
  await listRoot(app, userLinkId);

  proxy.leadTo(second.port);
  await app.services.connections.replace(app.user.userId, userLinkId);
  await assert.rejects(listRoot(app, userLinkId), { messageCode: 'CERTIFICATE_CHANGED' });
  const [row] = await rowsOf(app.user);
  const entered = { ...trusting, username: second.user, password: second.password };
  const changed = await app.user.ask(ftp.validate, draftOf(entered, { userLinkId }));
  assert.deepEqual([changed.isValid, changed.errorCode], [false, 716]);
  assert.ok(changed.certificate !== undefined && changed.certificate !== verdict.certificate);
  await app.services.background.idle();
  assert.ok(row);
  assert.match((await rowsOf(app.user))[0]?.attention ?? '', new RegExp(`changed.*${changed.certificate}`));

  const accepted = { ...entered, acceptedCertificate: changed.certificate };
  await app.user.ask(ftp.validate, draftOf(accepted, { userLinkId }));
  await app.user.ask(ftp.update, draftOf(accepted, { userLinkId }));
  await listRoot(app, userLinkId);
});

test('FTP: a link without a valid certificate is pinned to the first one it meets', async (t) => {
  const app = await setting(t);
  const proxy = await switchable(t);
  const [first, second] = [
    await startProftpd({ tls: await certificateFor('127.0.0.1') }),
    await startProftpd({ tls: await certificateFor('127.0.0.1') }),
  ];
  t.after(() => Promise.all([first.stop(), second.stop()]));
  proxy.leadTo(first.port);
  const info = { ...ftpInfo, username: first.user, password: first.password, server: `127.0.0.1:${proxy.port}`, path: '' };
  const lenient = draftOf({ ...info, enforceSSL: 'IGNORE_MATCH' });
  await app.user.ask(ftp.validate, lenient);
  const { userLinkId } = await app.user.ask(ftp.add, lenient);
  proxy.leadTo(second.port);
  await assert.rejects(listRoot(app, userLinkId), { messageCode: 'CERTIFICATE_CHANGED' });
});

test('WebDAV: expired, wrong-host and unknown-authority certificates are distinguished, and a trusted one opens', async (t) => {
  const { user, services } = await setting(t);
  const told = [
    [
      'CERTIFICATE_EXPIRED',
      /^Invalid SSL certificate\. It expired on \d+ \w+ \d{4}\.$/,
      await certificateFor('127.0.0.1', authority, { expired: true }),
    ],
    ['CERTIFICATE_NAME_MISMATCH', /^Invalid SSL certificate\. Name Mismatch\.$/, await certificateFor('other.example', authority)],
    ['CERTIFICATE_UNTRUSTED', /authority that is not trusted/, await certificateFor('127.0.0.1', await makeAuthority())],
  ] as const;
  for (const [messageCode, message, tls] of told) {
    const server = await startApache({ tls });
    t.after(() => server.stop());
    await writeFile(join(server.home, 'sealed.txt'), 'sealed');
    const info = { ...davInfo, server: server.url, username: server.user, password: server.password };
    const refusal = await user.refusal(webdav.add, draftOf(info));
    assert.equal(refusal.messageCode, messageCode);
    assert.match(refusal.message, message);
    const trusting = { ...info, enforceSSL: 'IGNORE_MATCH', acceptedCertificate: refusal.certificate ?? '' };
    const { userLinkId } = await user.ask(webdav.add, draftOf(trusting));
    assert.deepEqual(await listRoot({ services, user }, userLinkId), ['sealed.txt']);
    const other = await user.refusal(webdav.add, draftOf({ ...trusting, acceptedCertificate: 'AB:CD' }, { continueAnyway: true }));
    assert.equal(other.messageCode, 'CERTIFICATE_CHANGED');
  }
});

test('WebDAV: a redirect from http to https on the same host is followed and stored, any other is only reported', async (t) => {
  const { user, services } = await setting(t);
  const server = await startApache({ tls: await certificateFor('127.0.0.1', authority) });
  t.after(() => server.stop());
  await writeFile(join(server.home, 'sealed.txt'), 'sealed');
  let target = server.url;
  const front = createServer((request, response) => {
    response.writeHead(301, { location: target + (request.url ?? '').replace(/^\/dav/, '') }).end();
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  t.after(() => front.close());
  const info = {
    ...davInfo,
    server: `http://127.0.0.1:${(front.address() as AddressInfo).port}/dav`,
    username: server.user,
    password: server.password,
  };
  const { userLinkId } = await user.ask(webdav.add, draftOf(info));
  const { connectionInfo } = await user.ask(getLinkConnectionInfo, { userLinkId });
  assert.deepEqual([connectionInfo['server'], connectionInfo['password']], [server.url, secretMask]);
  assert.deepEqual(await listRoot({ services, user }, userLinkId), ['sealed.txt']);

  target = 'https://elsewhere.example/dav';
  const refusal = await user.refusal(webdav.add, draftOf(info));
  assert.deepEqual(
    [refusal.messageCode, refusal.message, refusal.movedTo],
    ['SERVER_MOVED', 'The server has moved to https://elsewhere.example/dav.', 'https://elsewhere.example/dav'],
  );
  assert.equal((await rowsOf(user)).length, 1);
});

test('cancelling a check releases the server’s connection at once and creates no link', async (t) => {
  const { user, services } = await setting(t);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const silent = createTcp((socket) => {
    socket.on('error', () => undefined).once('close', () => leave());
    socket.once('data', () => resolve());
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  const info = { ...davInfo, server: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` };
  const gone = new AbortController();
  const adding = services.links.add(families.webdav, user.userId, draftOf(info), gone.signal);
  const refused = assert.rejects(adding);
  await asked;
  gone.abort();
  await Promise.all([refused, left]);
  assert.deepEqual(await rowsOf(user), []);
});

test('a link saved after its user had gone is removed', async (t) => {
  const { user, services } = await setting(t);
  const draft = draftOf(davInfo, { validateConnection: false });
  await assert.rejects(services.links.add(families.webdav, user.userId, draft, AbortSignal.abort()));
  assert.deepEqual(await rowsOf(user), []);
});

/** A port that forwards to changing servers; FTP's data connections go to the server itself. */
async function switchable(t: TestContext) {
  let target = 0;
  const relay = createTcp((socket) => {
    const to = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [socket, to],
      [to, socket],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => relay.close());
  return { port: (relay.address() as AddressInfo).port, leadTo: (port: number) => void (target = port) };
}
