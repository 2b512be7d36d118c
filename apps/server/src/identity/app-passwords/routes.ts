import { addSshKey, createAppPassword, deleteAppPassword, listAppPasswords } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf } from '#/identity/sessions/session-cookies.ts';
import { hostOf } from '#/platform/http/network.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { AppPasswords } from './service.ts';

interface Deps {
  readonly appPasswords: AppPasswords;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly alerts: Alerts;
  readonly publicUrl: string;
  readonly sftp: { port(): number | undefined };
  readonly access: { has(accountId: string, userLinkId: string): Promise<boolean> };
}

export function appPasswordRoutes(app: FastifyInstance, { appPasswords, reauthentication, alerts, access, publicUrl, sftp }: Deps): void {
  serve(app, listAppPasswords, async ({ userId }) => {
    const port = sftp.port();
    return { appPasswords: await appPasswords.list(userId), ...(port !== undefined && { sftp: { host: hostOf(publicUrl), port } }) };
  });
  serve(app, createAppPassword, async ({ userId, session, input, request }) => {
    await reauthentication.require(session);
    const made = await appPasswords.create(userId, input, access.has);
    alerts.tell(userId, { kind: 'appPasswordMade', name: made.appPassword.name }, deviceOf(request));
    return made;
  });
  serve(app, addSshKey, async ({ userId, session, input, request }) => {
    await reauthentication.require(session);
    const appPassword = await appPasswords.addKey(userId, input, access.has);
    const { name, sshKey } = appPassword;
    alerts.tell(userId, { kind: 'sshKeyAdded', name, fingerprint: sshKey?.fingerprint ?? '' }, deviceOf(request));
    return { appPassword };
  });
  serve(app, deleteAppPassword, async ({ userId, session, input }) => {
    requireBrowser(session);
    await appPasswords.revoke(userId, input.appPasswordId);
    return {};
  });
}
