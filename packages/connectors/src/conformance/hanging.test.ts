import { randomUUID } from 'node:crypto';
import { startApache, startDropbox, startFileServer, startOpenssh, startProftpd, startProxy, startSwift } from '@sheaf/testbed';
import type { Connector } from '../core/connector.ts';
import { bounds } from '../layers/bounds.ts';
import { conclude } from '../layers/conclude.ts';
import { layered } from '../layers/layered.ts';
import { limit } from '../layers/limit.ts';
import { retry } from '../layers/retry.ts';
import { timeout } from '../layers/timeout.ts';
import { wholeReads } from '../layers/whole-reads.ts';
import { dropbox } from '../providers/dropbox/index.ts';
import { grantedEnv } from '../providers/dropbox/testing/link.ts';
import { parseFtpConfig } from '../providers/ftp/config.ts';
import { openFtp } from '../providers/ftp/connector.ts';
import { ofs } from '../providers/gateway/index.ts';
import { parseS3Config } from '../providers/s3/config.ts';
import { openS3 } from '../providers/s3/connector.ts';
import { openTestLink } from '../providers/sftp/testing/link.ts';
import { parseWebdavConfig } from '../providers/webdav/config.ts';
import { openWebdav } from '../providers/webdav/connector.ts';
import { testEnv } from './env.ts';
import { type HangingStage, hangsInTime, permits } from './hanging.ts';

/** Wraps the connector in the layers that the server uses. */
const inLayers = (inner: Connector): Connector =>
  wholeReads(layered(inner, limit(permits), timeout(), retry(), bounds(), conclude()), { wait: async () => undefined });

function hangs(id: string, start: () => Promise<HangingStage>, traits?: Parameters<typeof hangsInTime>[2]): void {
  const startInLayers = async (): Promise<HangingStage> => {
    const stage = await start();
    return { ...stage, open: async (port) => inLayers(await stage.open(port)) };
  };
  hangsInTime(id, startInLayers, traits);
}

const lineTo = (port: number) => () => startProxy({ target: { port } });

hangs(
  'FTP',
  async () => {
    const server = await startProftpd();
    const login = { protocol: 'FTP', username: server.user, password: server.password };
    return {
      stop: () => server.stop(),
      line: lineTo(server.port),
      open: async (port) => openFtp(parseFtpConfig({ server: `127.0.0.1:${port}`, ...login }), testEnv()),
    };
  },
  { greets: true, controlOnly: true },
);

hangs(
  'SFTP',
  async () => {
    const server = await startOpenssh();
    return {
      stop: () => server.stop(),
      line: lineTo(server.port),
      open: async (port) => openTestLink({ ...server, port }),
    };
  },
  { greets: true, acknowledges: true },
);

hangs('WebDAV', async () => {
  const server = await startApache();
  return {
    stop: () => server.stop(),
    line: lineTo(server.port),
    async open(port) {
      const address = new URL(server.url);
      address.port = String(port);
      const login = { username: server.user, password: server.password, authType: 'basic' };
      return openWebdav(parseWebdavConfig({ server: address.href, ...login }, 'webdav'), testEnv());
    },
  };
});

hangs('S3', async () => {
  const server = await startSwift();
  const bucketName = randomUUID();
  await server.createBucket(bucketName);
  return {
    stop: () => server.stop(),
    line: lineTo(server.port),
    open: async (port) =>
      openS3(
        parseS3Config({ host: `http://127.0.0.1:${port}`, bucketName, key: server.key, secret: server.secret }, 'S3Compat'),
        testEnv(),
      ),
  };
});

hangs('the file server', async () => {
  const server = await startFileServer({ keys: false });
  return {
    stop: () => server.stop(),
    line: lineTo(server.port),
    open: async (port) =>
      ofs.open(ofs.parse({ server: `http://127.0.0.1:${port}`, username: server.user, password: server.password }, 'OFS'), testEnv()),
  };
});

hangs('Dropbox', async () => {
  const simulator = await startDropbox();
  return {
    stop: () => simulator.stop(),
    line: lineTo(Number(new URL(simulator.app.apiUrl).port)),
    async open(port) {
      const { env, grant } = grantedEnv(simulator, dropbox, 'mara@example.org');
      const info = await dropbox.authorization?.identify({ grant, extra: {} }, dropbox.id, env, AbortSignal.timeout(20_000));
      const at = (address: string) => {
        const url = new URL(address);
        url.port = String(port);
        return url.href.replace(/\/$/, '');
      };
      const { apiUrl, uploadUrl } = env.app;
      const app = { ...env.app, ...(apiUrl && { apiUrl: at(apiUrl) }), ...(uploadUrl && { uploadUrl: at(uploadUrl) }) };
      return dropbox.open(dropbox.parse(info ?? {}, dropbox.id), { ...env, app });
    },
  };
});
