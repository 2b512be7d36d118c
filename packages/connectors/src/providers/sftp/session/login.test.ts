import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type OpensshServer, makeSshKey, startOpenssh } from '@sheaf/testbed';
import { parseConfig } from '../config.ts';
import { openTestLink } from '../testing/link.ts';

const ask = () => ({ signal: AbortSignal.timeout(30_000) });

/** Opens a link, reads its root and closes it. */
async function visit(...link: Parameters<typeof openTestLink>): Promise<void> {
  const connector = openTestLink(...link);
  try {
    assert.equal((await connector.stat('/', ask())).kind, 'folder');
  } finally {
    await connector.close();
  }
}

describe('login with a password', () => {
  let server: OpensshServer;
  before(async () => {
    server = await startOpenssh();
  });
  after(() => server.stop());

  test('the right password opens the account', () => visit(server));

  test('a wrong password and an unknown user are reported as wrong credentials, not as a network error', async () => {
    await assert.rejects(visit(server, { info: { password: 'wrong' } }), { kind: 'unauthorized', details: {} });
    await assert.rejects(visit(server, { info: { username: 'nobody-here' } }), { kind: 'unauthorized' });
  });

  test('ChaCha20 and counter mode are used when the server supports nothing faster', async () => {
    for (const ciphers of ['chacha20-poly1305@openssh.com', 'aes256-ctr']) {
      const old = await startOpenssh({ ciphers });
      try {
        await visit(old);
      } finally {
        await old.stop();
      }
    }
  });

  test('a server that asks for the password by keyboard-interactive gets it there', async () => {
    const asking = await startOpenssh({ passwordLogin: 'keyboard-interactive' });
    try {
      await visit(asking);
      await assert.rejects(visit(asking, { info: { password: 'wrong' } }), { kind: 'unauthorized' });
    } finally {
      await asking.stop();
    }
  });

  test('a server that accepts only keys is reported as such', async () => {
    const keysOnly = await startOpenssh({ passwordLogin: 'none' });
    try {
      await assert.rejects(visit(keysOnly), { kind: 'authType' });
    } finally {
      await keysOnly.stop();
    }
  });
});

describe('login with a key file', () => {
  const kinds = [
    { type: 'ed25519', format: 'RFC4716' },
    { type: 'rsa', format: 'RFC4716' },
    { type: 'rsa', format: 'PEM' },
    { type: 'ecdsa', format: 'RFC4716' },
    { type: 'ecdsa', format: 'PEM' },
  ] as const;

  for (const { type, format } of kinds)
    test(`${type} in ${format === 'PEM' ? 'PEM' : "OpenSSH's form"} opens the account, locked or not`, async () => {
      const [open, locked] = await Promise.all([makeSshKey({ type, format }), makeSshKey({ type, format, passphrase: 'open sesame' })]);
      const server = await startOpenssh({ authorizedKeys: [open.publicKey, locked.publicKey], passwordLogin: 'none' });
      try {
        await visit(server, { info: { keyfileContent: open.privateKey, password: '' } });
        await visit(server, { info: { keyfileContent: locked.privateKey.replaceAll('\n', '\r\n'), password: 'open sesame' } });
        for (const password of ['', 'wrong'])
          await assert.rejects(visit(server, { info: { keyfileContent: locked.privateKey, password } }), { kind: 'wrongPassphrase' });
      } finally {
        await server.stop();
      }
    });

  test('a key unknown to the server is reported as wrong credentials', async () => {
    const server = await startOpenssh({ passwordLogin: 'none' });
    const { privateKey } = await makeSshKey();
    try {
      await assert.rejects(visit(server, { info: { keyfileContent: privateKey } }), { kind: 'unauthorized', details: { problem: 'key' } });
    } finally {
      await server.stop();
    }
  });

  test('an invalid private key is badKeyFile, and no server is contacted', async () => {
    const { privateKey, publicKey } = await makeSshKey();
    const nowhere = { host: '127.0.0.1', port: 1, username: 'x', password: '' };
    for (const keyfileContent of ['hello', publicKey, privateKey.slice(0, 150)])
      await assert.rejects(visit(nowhere, { info: { keyfileContent } }), { kind: 'badKeyFile' });
  });
});

describe('the host key', () => {
  const account = (server: OpensshServer, { username, password }: OpensshServer) => ({
    host: server.host,
    port: server.port,
    username,
    password,
  });

  test('is remembered on first use, and accepted again', async () => {
    const server = await startOpenssh();
    const memory = new Map<string, string>();
    try {
      await visit(server, { memory });
      assert.match(memory.get('hostKey') ?? '', /^SHA256:[\w+/]{43}$/);
      const seen = new Map(memory);
      await visit(server, { memory });
      assert.deepEqual(memory, seen);
    } finally {
      await server.stop();
    }
  });

  test('is refused when it has changed, unless the user accepts exactly this one or checking is off', async () => {
    const first = await startOpenssh();
    const second = await startOpenssh();
    const memory = new Map<string, string>();
    try {
      await visit(first, { memory });
      const seen = memory.get('hostKey');
      const changed = account(second, second);
      let fingerprint = '';
      await assert.rejects(visit(changed, { memory }), (error: { kind: string; details: Record<string, string> }) => {
        fingerprint = error.details['fingerprint'] ?? '';
        return error.kind === 'hostKeyChanged';
      });
      assert.notEqual(fingerprint, seen);
      assert.equal(memory.get('hostKey'), seen, 'the refused key was remembered');
      await assert.rejects(visit(changed, { memory, info: { acceptedHostKey: seen ?? '' } }), { kind: 'hostKeyChanged' });
      await visit(changed, { memory, info: { acceptedHostKey: fingerprint } });
      assert.equal(memory.get('hostKey'), fingerprint);
      await visit(first, { memory, info: { enforceSSL: 'IGNORE_MATCH' } });
      assert.equal(memory.get('hostKey'), seen);
    } finally {
      await first.stop();
      await second.stop();
    }
  });

  test('is requested with the key type seen first, so that a second key type is not a change', async () => {
    const rsa = await makeSshKey({ type: 'rsa' });
    const ed25519 = await makeSshKey();
    const before = await startOpenssh({ hostKey: rsa.privateKey });
    const memory = new Map<string, string>();
    try {
      await visit(before, { memory });
    } finally {
      await before.stop();
    }
    const afterChange = await startOpenssh({ hostKey: ed25519.privateKey, moreHostKeys: [rsa.privateKey] });
    try {
      await visit(afterChange, { memory });
    } finally {
      await afterChange.stop();
    }
    assert.equal(memory.get('hostKeyType'), 'ssh-rsa');
  });
});

test('connection info without a server, a user or a secret is badConfig and names the field', () => {
  const whole = { server: 'nas.example', username: 'mara', password: 'x' };
  for (const field of ['server', 'username', 'password'])
    assert.throws(() => parseConfig({ ...whole, [field]: '' }), { kind: 'badConfig', details: { field } });
  assert.throws(() => parseConfig({ ...whole, numConcurrentConnections: '0' }), { kind: 'badConfig' });
});

test('the server is a host, a host with a port, or an IPv6 address, and the port is 22 by default [SFTP-24]', () => {
  const parse = (server: string) => {
    const { host, port } = parseConfig({ server, username: 'mara', password: 'x' });
    return [host, port];
  };
  assert.deepEqual(parse('nas.example'), ['nas.example', 22]);
  assert.deepEqual(parse('nas.example:2222'), ['nas.example', 2222]);
  assert.deepEqual(parse('[2001:db8::1]:2222'), ['2001:db8::1', 2222]);
});

test('a server that greets in another protocol is reported as not SFTP, long before the login times out', async (t) => {
  const ftp = createServer((socket) => socket.on('error', () => undefined).write('220 Welcome\r\n'));
  ftp.listen(0, '127.0.0.1');
  await once(ftp, 'listening');
  t.after(() => ftp.close());
  const { port } = ftp.address() as AddressInfo;
  const account = { host: '127.0.0.1', port, username: 'mara', password: 'x' };
  await assert.rejects(visit(account), { kind: 'wrongProtocol', details: { protocol: 'SFTP' } });
});

test('a web server, which responds and closes at once, is reported as such', async (t) => {
  const web = createWebServer((_, response) => response.end('hello'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  t.after(() => web.close());
  const { port } = web.address() as AddressInfo;
  const account = { host: '127.0.0.1', port, username: 'mara', password: 'x' };
  await assert.rejects(visit(account), { kind: 'wrongProtocol', details: { protocol: 'SFTP', problem: 'http' } });
});
