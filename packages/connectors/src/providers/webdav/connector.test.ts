import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type DavServer, certificateFor, eventually, makeAuthority, startApache, startNextcloud, startNginx } from '@sheaf/testbed';
import { conformance, fillOnDisk } from '../../conformance/index.ts';
import type { Connector } from '../../core/connector.ts';
import { createDialer } from '../../kit/net/dialer.ts';
import { parseWebdavConfig } from './config.ts';
import { openKnownWebdav } from './connector.ts';

const dialer = createDialer({ privateNetworks: 'allow' });
const servers: DavServer[] = [];
after(() => Promise.all(servers.map((server) => server.stop())));

function conforms(
  id: string,
  start: () => Promise<DavServer>,
  authType: string,
  { resumes, ...traits }: Omit<NonNullable<Parameters<typeof conformance>[2]>, 'resumes'> & { readonly resumes: boolean },
): void {
  let home = '';
  const facts = new Map<string, string>();
  const recall = async (fact: string) => facts.get(fact);
  const remember = async (fact: string, value: string) => void facts.set(fact, value);
  let reopen = (): Promise<Connector> => assert.fail('the server is not running');
  const open = async (): Promise<Connector> => {
    const server = await start();
    servers.push(server);
    home = server.home;
    const info = { server: server.url, username: server.user, password: server.password, authType };
    reopen = () => openKnownWebdav(parseWebdavConfig(info, 'webdav'), { dialer, recall, remember });
    const first = await reopen();
    // How the server resumes uploads, and which hashes it reports, is known from the second opening on.
    const ask = { signal: AbortSignal.timeout(20_000), size: 10, ifExists: 'fail' } as const;
    const begun = async () => first.beginUpload?.('/file', ask);
    if (resumes) await first.abandonUpload?.('/file', { ...ask, session: (await begun())?.session ?? assert.fail() });
    else await assert.rejects(begun, { kind: 'unsupported' });
    await first.close();
    return reopen();
  };
  const reallyIn = async (folder: string): Promise<readonly string[]> => {
    // Apache notices an interrupted upload after a moment and then deletes its own temporary file.
    const names = async () => readdir(join(home, folder));
    await eventually(async () => !(await names()).some((name) => name.startsWith('.davfs.tmp')), 'Apache has cleaned up');
    return (await names()).filter((name) => name !== '.DAV');
  };
  conformance(id, open, {
    bin: 'hidden',
    copiesBetweenLinks: true,
    reallyIn,
    fill: fillOnDisk(() => home),
    ...traits,
    ...(resumes && { resumes: { reopen: () => reopen() } }),
  });
}

async function startSecureApache(): Promise<DavServer> {
  const authority = await makeAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.pem.certificate]);
  return startApache({ tls: await certificateFor('127.0.0.1', authority) });
}

conforms('WebDAV on Apache with Basic over TLS', startSecureApache, 'basic', { resumes: true });
conforms('WebDAV on Apache with Digest', () => startApache({ auth: 'digest' }), 'digest', { resumes: true });
conforms('WebDAV on Nextcloud', () => startNextcloud(), 'basic', { resumes: true, keepsModified: true, hashes: ['sha256'] });
conforms('WebDAV on nginx', () => startNginx(), 'basic', {
  resumes: false,
  keepsModified: true,
  // Its PROPFIND omits names that start with two dots.
  unlistedNames: ['..hidden', '...'],
});
