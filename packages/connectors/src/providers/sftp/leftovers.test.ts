import { startOpenssh, startProxy } from '@sheaf/testbed';
import { clearsUp } from '../../conformance/leftovers.ts';
import { openTestLink } from './testing/link.ts';

for (const deniedRequests of [[], ['posix-rename']]) {
  clearsUp(
    `SFTP ${deniedRequests.length === 0 ? 'with' : 'without'} a replacing rename`,
    async () => {
      const server = await startOpenssh({ deniedRequests });
      const proxy = () => startProxy({ target: { port: server.port } });
      return { ...server, proxy, open: (port, leftovers) => openTestLink({ ...server, port }, { leftovers }) };
    },
    { stepsAside: true },
  );
}
