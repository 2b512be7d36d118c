import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  passkeyLogin,
  passkeyOptions,
  proofOptions,
  prove,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  secondFactor,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Passkeys } from '#/identity/second-factors/passkeys.ts';
import type { SecondFactors } from '#/identity/second-factors/service.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf, sendEntered } from '#/identity/sessions/session-cookies.ts';
import type { Sessions } from '#/identity/sessions/sessions.ts';
import type { SecondSteps } from '#/identity/sign-in/second-steps.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';

interface Deps {
  readonly secondSteps: SecondSteps;
  readonly reauthentication: Reauthentication;
  readonly sessions: Pick<Sessions, 'endOtherProofs'>;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly alerts: Alerts;
}

const authenticator = 'An authenticator app';

export function secondFactorRoutes(
  app: FastifyInstance,
  { secondSteps, reauthentication, sessions, factors, passkeys, alerts }: Deps,
): void {
  serve(app, passkeyOptions, async ({ input, request }) => ({ options: await secondSteps.passkeyOptions(input.ticket, request.ip) }));
  serve(app, passkeyLogin, async ({ input, request, reply }) =>
    sendEntered(reply, await secondSteps.passkeyLogin(input.assertion, deviceOf(request))),
  );
  serve(app, secondFactor, async ({ input: { ticket, ...answer }, request, reply }) =>
    sendEntered(reply, await secondSteps.secondStep(ticket, answer, deviceOf(request))),
  );

  serve(app, proofOptions, async ({ userId, session }) => {
    requireBrowser(session);
    return { options: await passkeys.requestOptions('prove', userId) };
  });
  serve(app, prove, async ({ input, session }) => {
    await reauthentication.prove(session, input);
    return {};
  });

  serve(app, beginTotp, async ({ userId, session }) => {
    await reauthentication.require(session);
    return factors.beginTotp(userId);
  });
  serve(app, confirmTotp, async ({ input, userId, session, request }) => {
    await reauthentication.require(session);
    const confirmed = await factors.confirmTotp(userId, input.code);
    await sessions.endOtherProofs(userId, session.sessionId);
    alerts.tell(userId, { kind: 'added', what: authenticator }, deviceOf(request));
    return confirmed;
  });
  serve(app, removeTotp, async ({ userId, session, request }) => {
    await reauthentication.require(session);
    if (await factors.removeTotp(userId)) alerts.tell(userId, { kind: 'removed', what: authenticator }, deviceOf(request));
    return {};
  });
  serve(app, beginPasskey, async ({ userId, session }) => {
    await reauthentication.require(session);
    return { options: await factors.creationOptions(userId) };
  });
  serve(app, addPasskey, async ({ input, userId, session, request }) => {
    await reauthentication.require(session);
    const added = await factors.addPasskey(userId, input.name, input.attestation);
    await sessions.endOtherProofs(userId, session.sessionId);
    alerts.tell(userId, { kind: 'added', what: `The passkey ${added.passkey.name}` }, deviceOf(request));
    return added;
  });
  serve(app, renamePasskey, async ({ input, userId, session }) => {
    requireBrowser(session);
    await factors.renamePasskey(userId, input.passkeyId, input.name);
    return {};
  });
  serve(app, removePasskey, async ({ input, userId, session, request }) => {
    await reauthentication.require(session);
    const name = await factors.removePasskey(userId, input.passkeyId);
    if (name !== undefined) alerts.tell(userId, { kind: 'removed', what: `The passkey ${name}` }, deviceOf(request));
    return {};
  });
  serve(app, renewRecoveryCodes, async ({ userId, session, request }) => {
    await reauthentication.require(session);
    const renewed = await factors.renewRecoveryCodes(userId);
    alerts.tell(userId, { kind: 'codesRenewed' }, deviceOf(request));
    return renewed;
  });
}
