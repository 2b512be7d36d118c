import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type DavServer, certificateFor, eventually, makeAuthority, startApache, startNginx } from '@sheaf/testbed';
import { conformance, fillOnDisk } from '../../conformance/index.ts';
import type { Connector } from '../../core/connector.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseWebdavConfig } from './config.ts';
import { openWebdav } from './connector.ts';

const env = { dialer: createDialer({ privateNetworks: 'allow' }), remember: async () => undefined, recall: async () => undefined };
const servers: DavServer[] = [];
after(() => Promise.all(servers.map((server) => server.stop())));

function conforms(id: string, start: () => Promise<DavServer>, authType: string, traits: Parameters<typeof conformance>[2]): void {
  let home = '';
  const open = async (): Promise<Connector> => {
    const server = await start();
    servers.push(server);
    home = server.home;
    return openWebdav(parseWebdavConfig({ server: server.url, username: server.user, password: server.password, authType }, 'webdav'), env);
  };
  const reallyIn = async (folder: string): Promise<readonly string[]> => {
    // Apache notices an interrupted upload after a moment and then deletes its own temporary file.
    const names = async () => readdir(join(home, folder));
    await eventually(async () => !(await names()).some((name) => name.startsWith('.davfs.tmp')), 'Apache has cleaned up');
    return (await names()).filter((name) => name !== '.DAV');
  };
  conformance(id, open, { reallyIn, fill: fillOnDisk(() => home), ...traits });
}

async function startSecureApache(): Promise<DavServer> {
  const authority = await makeAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);
  return startApache({ tls: await certificateFor('127.0.0.1', authority) });
}

conforms('WebDAV on Apache with Basic over TLS', startSecureApache, 'basic', {});
conforms('WebDAV on Apache with Digest', () => startApache({ auth: 'digest' }), 'digest', {});
conforms('WebDAV on nginx', () => startNginx(), 'basic', {
  keepsModified: true,
  // Its PROPFIND omits names that start with two dots.
  unlistedNames: ['..hidden', '...'],
});
