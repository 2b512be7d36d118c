import type { Connector } from '../../core/connector.ts';
import { deadlines } from '../../core/deadlines.ts';
import type { Env } from '../../core/definition.ts';
import { ConnectorError } from '../../core/error.ts';
import { noLeftovers } from '../../core/leftovers.ts';
import { unlessRefused } from '../../core/service-copy.ts';
import { createHttp } from '../../kit/http/http-client.ts';
import { joinPath, nameOf, parentOf } from '../../kit/names/path.ts';
import { certificateRule } from '../../kit/net/certificates.ts';
import { createDavClient } from './client.ts';
import type { WebdavConfig } from './config.ts';
import { createDownload } from './download.ts';
import { mayLackParent, refuse } from './errors.ts';
import { cloudRootOf } from './parts/cloud.ts';
import { type Remembered, recallServer, resumableUploads } from './parts/resumable.ts';
import { createPlaces } from './places.ts';
import { createRelocate } from './relocate.ts';
import { createResources } from './resources.ts';
import { createUpload } from './upload.ts';

/** Connections of one link: enough for many small files concurrently, few enough for a home server. */
export const connections = 8;

type WebdavEnv = Pick<Env, 'dialer' | 'leftovers'> & Partial<Pick<Env, 'recall' | 'remember'>>;

/** Opens a link, without resumable uploads when its server was found to have none. */
export const openKnownWebdav = async (config: WebdavConfig, env: WebdavEnv): Promise<Connector> =>
  openWebdav(config, env, await recallServer(env));

/**
 * A folder of a WebDAV server (RFC 4918). A link's `server` is the folder in which it starts. Its `destinationUrl` has two uses. A URL
 * within `server` is the account's home: the link starts there. Any other URL is the one by which the server knows that same folder behind
 * its reverse proxy: requests go to `server`, and the `Destination` headers of MOVE and COPY, which many servers compare with their own
 * name, use it.
 */
export function openWebdav(config: WebdavConfig, env: WebdavEnv, known: Remembered = {}): Connector {
  const { dialer, leftovers = noLeftovers } = env;
  const http = createHttp({ origin: config.origin, dialer, verify: certificateRule(config, env), maxConnections: connections });
  const client = createDavClient(http, config);
  const places = createPlaces(config);
  // The user name is included, because servers may show each user other files under the same URL.
  const service = `webdav ${config.origin} ${config.username}`;
  const isCloud = cloudRootOf(config.base) !== undefined;
  const resources = createResources(client, places, isCloud);
  const relocate = createRelocate(client, places, resources);
  const read = createDownload(client, places, resources);
  const { write, clearUp, steps } = createUpload({ client, places, resources, relocate, leftovers, asksHash: isCloud });
  const { uploads, clearedUp, learnHash } = resumableUploads({ client, base: config.base, places, resources, read, steps, leftovers, env });

  return {
    list: (folder, { signal }) => resources.list(folder, signal),
    stat: (path, { signal }) => resources.statTyped(path, signal),
    read,
    setsAside: true,
    async write(file, body, ask) {
      const entry = await write(file, body, ask);
      await learnHash(entry);
      return entry;
    },
    async clearUp(leftover, ask) {
      if (!(await clearedUp(leftover, ask.signal))) await clearUp(leftover, ask);
    },
    ...(known.way !== 'none' && uploads),
    ...(known.hash && { hashes: [known.hash] }),
    async createFolder(path, { signal }) {
      const response = await client.send({ method: 'MKCOL', path: places.address(path, 'folder'), signal });
      if (response.status === 201) {
        await response.discard();
        return { name: nameOf(path), kind: 'folder' };
      }
      // RFC 4918, section 9.3.1, defines 405 for a taken name; servers use other statuses when a file has it.
      if ([400, 403, 405, 409].includes(response.status) && (await resources.find(path, signal))) {
        await response.discard();
        throw new ConnectorError('alreadyExists', 'the name is taken');
      }
      if (mayLackParent.includes(response.status)) await resources.stat(parentOf(path), signal);
      if (response.status === 404 || response.status === 409)
        throw new ConnectorError('forbidden', `the server makes no folder: ${response.status}`);
      return refuse(response);
    },
    rename: (path, newName, { signal }) => relocate.run('MOVE', path, joinPath(parentOf(path), newName), signal),
    move: (from, to, { signal }) => relocate.run('MOVE', from, to, signal),
    copy: (from, to, { signal }) => relocate.run('COPY', from, to, signal),
    service,
    async serviceFile(path, { signal }) {
      const entry = await resources.statTyped(path, signal);
      if (entry.kind === 'folder') throw new ConnectorError('isAFolder', 'a folder is copied item by item');
      return { service, location: places.address(path, 'file'), entry };
    },
    async copyFrom(file, to, { signal }) {
      if (file.service !== service) throw new ConnectorError('unsupported', 'the file is at another server');
      return unlessRefused(() => relocate.copyFrom(file.location, file.entry.size, to, signal));
    },
    async remove(path, { signal }) {
      if (path === '/') throw new ConnectorError('forbidden', 'the root of a link stays');
      const { kind } = await resources.stat(path, signal);
      const long = kind === 'folder' && { headTimeout: deadlines.longWork };
      const response = await client.send({ method: 'DELETE', path: places.address(path, kind), signal, ...long });
      if (![200, 202, 204].includes(response.status)) return refuse(response);
      await response.discard();
    },
    close: async () => http.close(),
  };
}
