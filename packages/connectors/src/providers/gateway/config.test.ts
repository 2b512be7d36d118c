import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofs, sheafgateway } from './index.ts';

const json = JSON.stringify({ sheafGateway: 1, id: 'AbC-_1', secret: 's.e-c_r' });

test('the server of a file server may be a name, a name and port, an address or a whole URL', () => {
  for (const [server, origin, base] of [
    ['files.example', 'https://files.example', ''],
    ['files.example:8190', 'https://files.example:8190', ''],
    ['::1', 'https://[::1]', ''],
    ['http://nas.lan:8190/', 'http://nas.lan:8190', ''],
    ['https://nas.example/files/', 'https://nas.example', '/files'],
  ] as const) {
    const config = ofs.parse({ server, username: 'mara', password: 'secret' }, 'OFS');
    assert.deepEqual([config.origin, config.base], [origin, base], server);
  }
});

for (const [field, change] of [
  ['username', { username: ' ' }],
  ['username', { username: 'ma:ra' }],
  ['password', { password: '' }],
  ['server', { server: '' }],
  ['server', { server: 'ftp://files.example' }],
  ['server', { server: 'https://mara:secret@files.example' }],
] as const)
  test(`a file server's ${field} ${JSON.stringify(change[field as keyof typeof change])} is refused`, () => {
    const info = { server: 'files.example', username: 'mara', password: 'secret', ...change };
    assert.throws(() => ofs.parse(info, 'OFS'), { kind: 'badConfig', details: { field } });
  });

test('the URL of a gateway must begin with http:// or https:// [GW-02]', () => {
  for (const server of ['gateway.example', 'ftp://gateway.example', ''])
    assert.throws(() => sheafgateway.parse({ server, authjson: json }, 'SheafGateway'), {
      kind: 'badConfig',
      details: { field: 'server', reason: 'noSchema' },
    });
  for (const server of ['http://gateway.example', 'HTTPS://gateway.example:8190'])
    assert.equal(sheafgateway.parse({ server, authjson: json }, 'SheafGateway').login, 'AbC-_1');
});

test('a connection JSON is parsed, and an invalid one is refused without repeating the secret', () => {
  const { authorization } = sheafgateway.parse({ server: 'http://gateway.example', authjson: ` ${json}\n` }, 'SheafGateway');
  assert.equal(authorization, 'Bearer AbC-_1.s.e-c_r');
  for (const authjson of [
    '',
    'no json',
    '{"sheafGateway":1,"id":"a","secret":"swordfish"',
    '[]',
    'null',
    '{"sheafGateway":2,"id":"a","secret":"swordfish"}',
    '{"sheafGateway":1,"id":"a"}',
    '{"sheafGateway":1,"id":"a.b","secret":"swordfish"}',
    '{"sheafGateway":1,"id":"a","secret":"swordfish\\r\\nx: y"}',
  ])
    assert.throws(
      () => sheafgateway.parse({ server: 'http://gateway.example', authjson }, 'SheafGateway'),
      ({ kind, details, message, cause }: { kind: string; details: { field: string }; message: string; cause: unknown }) => {
        assert.deepEqual([kind, details.field, cause], ['badConfig', 'authjson', undefined]);
        return !message.includes('swordfish');
      },
      authjson,
    );
});
