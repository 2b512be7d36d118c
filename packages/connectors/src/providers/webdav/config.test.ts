import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConnectorError } from '../../core/error.ts';
import { parseWebdavConfig } from './config.ts';
import { webdav } from './index.ts';

const login = { username: 'mara', password: 'secret' };
const parsed = (info: Readonly<Record<string, string>>, provider = 'webdav') => parseWebdavConfig({ ...login, ...info }, provider);

describe('parseWebdavConfig', () => {
  for (const [server, origin, base] of [
    ['nas.example', 'https://nas.example', ''],
    ['nas.example:8443', 'https://nas.example:8443', ''],
    ['nas.example/dav/my files/', 'https://nas.example', '/dav/my%20files'],
    ['http://nas.example/dav', 'http://nas.example', '/dav'],
    ['https://nas.example:443/', 'https://nas.example', ''],
    ['fd00::1', 'https://[fd00::1]', ''],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443', ''],
  ] as const)
    it(`reads ${server}`, () => {
      const config = parsed({ server });
      assert.deepEqual([config.origin, config.base, config.destination], [origin, base, origin + base]);
    });

  it('starts at a destination URL within the server, and uses any other one for Destination headers', () => {
    const within = parsed({ server: 'https://nas.example/dav', destinationUrl: 'https://nas.example/dav/home' });
    assert.deepEqual([within.base, within.destination], ['/dav/home', 'https://nas.example/dav/home']);
    const behind = parsed({ server: 'https://cloud.example/files', destinationUrl: 'http://backend:8080/dav/' });
    assert.deepEqual([behind.origin, behind.base, behind.destination], ['https://cloud.example', '/files', 'http://backend:8080/dav']);
  });

  it("adds the provider's URLs, with the user name", () => {
    const config = parseWebdavConfig({ username: 'mara b', password: 'x' }, 'hidrive');
    assert.deepEqual([config.origin, config.base], ['https://webdav.hidrive.strato.com', '/users/mara%20b']);
    assert.equal(parsed({}, 'YandexDisk').origin, 'https://webdav.yandex.com');
  });

  it('checks certificates and uses Basic authentication by default', () => {
    assert.deepEqual([parsed({ server: 'x' }).verify, parsed({ server: 'x' }).authType], [true, 'basic']);
    const config = parsed({ server: 'x', enforceSSL: 'IGNORE_MATCH', authType: 'Digest' });
    assert.deepEqual([config.verify, config.authType], [false, 'digest']);
  });

  for (const [info, field] of [
    [{ server: '' }, 'server'],
    [{ server: 'ftp://nas.example' }, 'server'],
    [{ server: 'https://mara:secret@nas.example' }, 'server'],
    [{ server: 'nas.example:99999' }, 'server'],
    [{ server: 'x', username: '' }, 'username'],
    [{ server: 'x', username: 'a:b' }, 'username'],
    [{ server: 'x', authType: 'ntlm' }, 'authType'],
    [{ server: 'x', destinationUrl: 'mailto://' }, 'destinationUrl'],
  ] as const)
    it(`refuses ${JSON.stringify(info)} for its ${field}`, () => {
      assert.throws(
        () => parsed(info),
        (error) => error instanceof ConnectorError && error.kind === 'badConfig' && error.details['field'] === field,
      );
    });
});

describe('webdav', () => {
  it('shows the account and recognises a link to the same folder', () => {
    const config = parsed({ server: 'NAS.example:8443/dav/' });
    assert.equal(webdav.account(config), 'mara@nas.example:8443/dav');
    assert.equal(webdav.identity(config), webdav.identity(parsed({ server: 'https://nas.example:8443/dav', password: 'other' })));
  });
});
