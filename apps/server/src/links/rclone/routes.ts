import { Readable } from 'node:stream';
import { exportLinks, exportRclone, importRemote, readRclone } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '#/identity/account/service.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Importing } from './importing.ts';
import type { LinkFiles } from './service.ts';

interface Deps {
  readonly linkFiles: LinkFiles;
  readonly importing: Importing;
  readonly accounts: Pick<Accounts, 'get'>;
  readonly factors: Pick<SecondFactors, 'kinds'>;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
}

export function linkFileRoutes(app: FastifyInstance, { linkFiles, importing, accounts, factors, reauthentication }: Deps): void {
  serve(app, exportLinks, async ({ userId, reply }) => {
    const text = await linkFiles.settings(userId);
    reply.type('application/json; charset=utf-8').header('content-disposition', 'attachment; filename="sheaf-links.json"');
    return reply.send(Readable.from(text));
  });
  serve(app, exportRclone, async ({ userId, session, input, reply }) => {
    requireBrowser(session);
    // The password alone may be stolen; an account with a second factor is asked for it too.
    if ((await accounts.get(userId)).passwordHash === null || (await factors.kinds(userId)).length > 0)
      await reauthentication.require(session);
    const text = await linkFiles.rclone(userId, input.password);
    return reply.type('text/plain; charset=utf-8').header('content-disposition', 'attachment; filename="rclone.conf"').send(text);
  });
  serve(app, readRclone, async ({ userId, input }) => ({ remotes: await importing.read(userId, input.config) }));
  serve(app, importRemote, ({ session, input, signal }) => importing.add(session, input, signal));
}
