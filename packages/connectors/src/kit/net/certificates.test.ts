import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Certificate, certificateFor, makeAuthority } from '@sheaf/testbed';
import type { CertificateRule } from '../../core/dialer.ts';
import { certificateRule } from './certificates.ts';
import { createDialer } from './dialer.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const authority = await makeAuthority();
setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);

/** Starts a TLS server; returns its port. */
async function serving(t: TestContext, { pem }: Certificate): Promise<number> {
  const server = createServer({ key: pem.key, cert: pem.certificate }, (socket) => socket.on('error', () => undefined).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const dial = async (port: number, verify: CertificateRule): Promise<void> => {
  const socket = await dialer.connect({ host: '127.0.0.1', port, signal: AbortSignal.timeout(20_000), tls: { verify } });
  socket.destroy();
};

/** Stored facts and certificate rule of a link that does not require a valid certificate. */
function link(acceptedCertificate = '') {
  const facts = new Map<string, string>();
  const env = {
    recall: async (fact: string) => facts.get(fact),
    remember: async (fact: string, value: string) => void facts.set(fact, value),
  };
  const rule = (accepted = acceptedCertificate) => certificateRule({ verify: false, acceptedCertificate: accepted }, env);
  return { facts, rule };
}

const day = 24 * 60 * 60 * 1000;
for (const [title, make, kind, details] of [
  [
    'an expired certificate is told with its day',
    () => certificateFor('127.0.0.1', authority, { expired: true }),
    'certificateMissing',
    { problem: 'expired', day: new Date(Date.now() - 30 * day).toISOString().slice(0, 10) },
  ],
  ['one that the server has signed itself', () => certificateFor('127.0.0.1'), 'certificateMissing', { problem: 'selfSigned' }],
  [
    'one of an unknown authority',
    async () => certificateFor('127.0.0.1', await makeAuthority()),
    'certificateMissing',
    { problem: 'unknownAuthority', issuer: 'Sheaf testbed authority' },
  ],
  [
    'one of another host',
    () => certificateFor('other.example', authority),
    'certificateName',
    { host: '127.0.0.1', names: 'other.example' },
  ],
] as const) {
  test(`${title}, and its fingerprint is included`, async (t) => {
    const port = await serving(t, await make());
    await assert.rejects(dial(port, true), (error: unknown) => {
      assert.ok(error instanceof Error && 'kind' in error && 'details' in error);
      const { fingerprint, ...rest } = error.details as Record<string, string>;
      assert.deepEqual([error.kind, rest], [kind, details]);
      assert.match(fingerprint ?? '', /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
      return true;
    });
  });
}

test('a valid certificate is accepted, and a missing certificate is reported as missing', async (t) => {
  await dial(await serving(t, await certificateFor('127.0.0.1', authority)), true);
  const { createServer: createPlain } = await import('node:net');
  const plain = createPlain((socket) => socket.on('error', () => undefined).end('220 hello\r\n')).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  t.after(() => plain.close());
  await assert.rejects(dial((plain.address() as AddressInfo).port, true), { kind: 'certificateMissing', details: { problem: 'none' } });
});

test('a link without certificate validation accepts only the first certificate it sees, also after a restart', async (t) => {
  const [one, two] = [await serving(t, await certificateFor('127.0.0.1')), await serving(t, await certificateFor('127.0.0.1'))];
  const { rule, facts } = link();
  await Promise.all([dial(one, rule()), dial(one, rule())]);
  const pin = rule();
  await dial(one, pin);
  for (const again of [pin, rule()]) await assert.rejects(dial(two, again), { kind: 'certificateChanged' });
  const shown = await dial(two, rule()).catch((error: { details: { fingerprint: string } }) => error.details.fingerprint);
  assert.notEqual(shown, facts.get('certificate'));
  await dial(two, rule(shown ?? ''));
  await assert.rejects(dial(one, rule(shown ?? '')), { kind: 'certificateChanged' }, 'accepting another gives the first one up');
});

test('of two servers seen at the same time a link without certificate validation accepts one', async (t) => {
  const ports = [await serving(t, await certificateFor('127.0.0.1')), await serving(t, await certificateFor('127.0.0.1'))];
  const pin = link().rule();
  const outcomes = await Promise.allSettled(ports.map((port) => dial(port, pin)));
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('a link whose certificate was accepted accepts no other, not even the first time', async (t) => {
  const port = await serving(t, await certificateFor('127.0.0.1'));
  await assert.rejects(dial(port, link('AB:CD').rule()), { kind: 'certificateChanged' });
});

test('a missing name and a closed port are distinguished', async () => {
  const unknown = createDialer({
    privateNetworks: 'allow',
    resolve: async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
  });
  const signal = AbortSignal.timeout(20_000);
  await assert.rejects(unknown.connect({ host: 'nowhere.example', port: 21, signal }), {
    kind: 'unreachable',
    details: { problem: 'unknownHost', host: 'nowhere.example' },
  });
  await assert.rejects(dialer.connect({ host: '127.0.0.1', port: 1, signal }), {
    kind: 'unreachable',
    details: { problem: 'refused', host: '127.0.0.1', port: '1' },
  });
});
