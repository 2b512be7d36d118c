import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer as createWebServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type FtpServer, certificateFor, makeAuthority, startProftpd, startVsftpd } from '@sheaf/testbed';
import { conformance, fillOnDisk, hardNames } from '../../conformance/index.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseFtpConfig } from './config.ts';
import { openFtp } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const ask = () => ({ signal: AbortSignal.timeout(20_000) });
const badNames = Object.values(hardNames).filter((name) => name.includes('\n'));

/**
 * FTPS with explicit TLS. vsftpd requires that data connections resume the control connection's TLS session; ProFTPD does so by default.
 */
const makes = { ProFTPD: { start: startProftpd, keepsModified: true }, vsftpd: { start: startVsftpd, keepsModified: false } };

const open = (server: FtpServer, more: Record<string, string> = {}) => {
  const login = { server: `127.0.0.1:${server.port}`, username: server.user, password: server.password, numConcurrentConnections: '4' };
  return openFtp(parseFtpConfig({ ...login, ...more }), { dialer });
};

const authority = await makeAuthority();
setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);

for (const [make, { start, keepsModified }] of Object.entries(makes)) {
  describe(`${make} with TLS`, () => {
    let server: FtpServer;
    before(async () => {
      server = await start({ tls: await certificateFor('127.0.0.1', authority) });
    });
    after(() => server.stop());

    conformance(`${make} with TLS`, async () => open(server), {
      lacks: ['copy'],
      badNames,
      keepsModified,
      resumes: { reopen: async () => open(server) },
      parallel: 4,
      reallyIn: (folder) => readdir(join(server.home, folder)),
      fill: fillOnDisk(() => server.home),
    });

    test('a login without TLS to a server that requires it is the wrong authentication method [ERR-34]', async () => {
      const plain = open(server, { protocol: 'FTP' });
      await assert.rejects(plain.stat('/', ask()), { kind: 'authType' });
      await plain.close();
    });

    for (const [title, host, signed, options, kind] of [
      ['the certificate of another host is told apart [ERR-33]', 'other.example', true, {}, 'certificateName'],
      ['a certificate that nobody signed is refused [ERR-35]', '127.0.0.1', false, {}, 'certificateMissing'],
      ['an expired certificate is refused', '127.0.0.1', true, { expired: true }, 'certificateMissing'],
    ] as const) {
      test(`${title}, and accepted with Valid SSL off [FTP-02]`, async (t) => {
        const strange = await start({ tls: await certificateFor(host, signed ? authority : undefined, options) });
        t.after(() => strange.stop());
        const [strict, lenient] = [open(strange), open(strange, { enforceSSL: 'IGNORE_MATCH' })];
        await assert.rejects(strict.stat('/', ask()), { kind });
        assert.equal((await lenient.stat('/', ask())).kind, 'folder');
        await Promise.all([strict.close(), lenient.close()]);
      });
    }
  });
}

test('a server that wants TLS from the first byte is reported as such, long before the timeout of a reply', async (t) => {
  const { pem } = await certificateFor('127.0.0.1');
  const implicit = createServer({ key: pem.key, cert: pem.certificate }, (socket) => {
    socket.on('error', () => undefined);
    socket.write('220 hello\r\n');
  });
  implicit.on('tlsClientError', () => undefined);
  implicit.listen(0, '127.0.0.1');
  await once(implicit, 'listening');
  t.after(() => implicit.close());
  const { port } = implicit.address() as AddressInfo;
  const link = openFtp(parseFtpConfig({ server: `127.0.0.1:${port}`, username: 'mara', password: 'x' }), { dialer });
  await assert.rejects(link.stat('/', ask()), { kind: 'wrongProtocol', details: { protocol: 'FTP', problem: 'implicitTls' } });
  await link.close();
});

test('a web server behind TLS is reported as a web server, not as one that wants implicit TLS', async (t) => {
  const { pem } = await certificateFor('127.0.0.1');
  const web = createWebServer({ key: pem.key, cert: pem.certificate }, (_, response) => response.end('hello'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.after(() => web.close());
  const { port } = web.address() as AddressInfo;
  for (const protocol of ['FTP', 'FTPS (Explicit TLS)']) {
    const link = openFtp(parseFtpConfig({ server: `127.0.0.1:${port}`, username: 'mara', password: 'x', protocol }), { dialer });
    await assert.rejects(link.stat('/', ask()), { kind: 'wrongProtocol', details: { protocol: 'FTP', problem: 'http' } });
    await link.close();
  }
});
