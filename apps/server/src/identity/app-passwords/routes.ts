import { createAppPassword, deleteAppPassword, listAppPasswords } from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf } from '#/identity/sessions/session-cookies.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { AppPasswords } from './service.ts';

interface Deps {
  readonly appPasswords: AppPasswords;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly alerts: Alerts;
  readonly access: { has(accountId: string, userLinkId: string): Promise<boolean> };
}

export function appPasswordRoutes(app: FastifyInstance, { appPasswords, reauthentication, alerts, access }: Deps): void {
  serve(app, listAppPasswords, async ({ userId }) => ({ appPasswords: await appPasswords.list(userId) }));
  serve(app, createAppPassword, async ({ userId, session, input, request }) => {
    await reauthentication.require(session);
    const made = await appPasswords.create(userId, input, access.has);
    alerts.tell(userId, { kind: 'appPasswordMade', name: made.appPassword.name }, deviceOf(request));
    return made;
  });
  serve(app, deleteAppPassword, async ({ userId, session, input }) => {
    requireBrowser(session);
    await appPasswords.revoke(userId, input.appPasswordId);
    return {};
  });
}
