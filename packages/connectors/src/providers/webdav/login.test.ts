import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isKind } from '../../core/error.ts';
import { parseChallenges } from './challenge.ts';
import { digestHeader } from './digest.ts';
import { createLogin } from './login.ts';

const config = {
  origin: 'https://nas.example',
  base: '',
  destination: '',
  username: 'mara',
  password: 'secret',
  verify: true,
  acceptedCertificate: '',
} as const;

describe('parseChallenges', () => {
  it('reads several challenges in one header, quotes and escapes included', () => {
    assert.deepEqual(
      parseChallenges('Negotiate, Basic realm="a, \\"b\\"", Digest realm="x", qop="auth,auth-int", nonce=abc=, stale=TRUE'),
      [
        { scheme: 'negotiate', parameters: {} },
        { scheme: 'basic', parameters: { realm: 'a, "b"' } },
        { scheme: 'digest', parameters: { realm: 'x', qop: 'auth,auth-int', nonce: 'abc', stale: 'TRUE' } },
      ],
    );
  });

  it('terminates for any input', () => {
    for (const header of [undefined, '', ',,,', '"""', '====', 'Basic realm="open', '\u00ff\u00fe ,='])
      assert.ok(Array.isArray(parseChallenges(header)));
  });
});

describe('digestHeader', () => {
  // RFC 7616, section 3.9.1.
  const example = {
    username: 'Mufasa',
    password: 'Circle of Life',
    count: 1,
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    parameters: {
      realm: 'http-auth@example.org',
      qop: 'auth, auth-int',
      nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
      opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
    },
  };
  for (const [algorithm, response] of [
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])
    it(`answers the example of RFC 7616 with ${algorithm}`, () => {
      const header = digestHeader('GET', '/dir/index.html', {
        ...example,
        parameters: { ...example.parameters, algorithm: algorithm ?? '' },
      });
      assert.ok(header.includes(`response="${response}"`), header);
      assert.ok(header.includes('nc=00000001'));
    });

  it('answers a challenge without qop as in RFC 2069', () => {
    const parameters = { realm: 'r', nonce: 'n' };
    const header = digestHeader('GET', '/', { username: 'u', password: 'p', count: 1, cnonce: 'c', parameters });
    assert.ok(!header.includes('cnonce'));
    assert.ok(!header.includes('qop'));
  });
});

describe('createLogin', () => {
  const challenge = (nonce: string, more = '') => `Digest realm="r", nonce="${nonce}", qop="auth"${more}`;
  const refusesAs = (kind: 'unauthorized' | 'authType') => (error: unknown) => isKind(error, kind);

  it('counts the uses of a nonce and takes a new one when the old is stale', () => {
    const login = createLogin({ ...config, authType: 'digest' });
    assert.equal(login.authorize('GET', '/'), undefined);
    login.refused(undefined, challenge('one'));
    assert.match(login.authorize('GET', '/') ?? '', /nonce="one".*nc=00000001/);
    login.accepted();
    const second = login.authorize('GET', '/');
    assert.match(second ?? '', /nonce="one".*nc=00000002/);
    login.refused(second, challenge('two', ', stale=true'));
    assert.match(login.authorize('GET', '/') ?? '', /nonce="two".*nc=00000001/);
  });

  it('gives up when the first response to a challenge is refused', () => {
    const login = createLogin({ ...config, authType: 'digest' });
    login.refused(undefined, challenge('one'));
    const sent = login.authorize('GET', '/');
    assert.throws(() => login.refused(sent, challenge('two')), refusesAs('unauthorized'));
  });

  it('never falls back to the other scheme', () => {
    const digest = createLogin({ ...config, authType: 'digest' });
    assert.throws(() => digest.refused(undefined, 'Basic realm="r"'), refusesAs('authType'));
    const basic = createLogin({ ...config, authType: 'basic' });
    assert.throws(() => basic.refused('Basic x', challenge('one')), refusesAs('authType'));
    assert.throws(() => basic.refused('Basic x', 'Basic realm="r"'), refusesAs('unauthorized'));
  });

  it('picks the strongest digest it knows', () => {
    const login = createLogin({ ...config, authType: 'digest' });
    login.refused(
      undefined,
      `${challenge('weak')}, algorithm=MD5, ${challenge('strong')}, algorithm=SHA-256, ${challenge('unknown')}, algorithm=SHA3-512`,
    );
    assert.match(login.authorize('GET', '/') ?? '', /nonce="strong".*algorithm=SHA-256/);
  });
});
