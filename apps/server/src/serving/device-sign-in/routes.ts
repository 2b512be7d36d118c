import {
  AppError,
  askForDrive,
  confirmDevice,
  deviceEndpoints,
  deviceGrant,
  lookAtDevice,
  refuseDevice,
  sftpHostKey,
} from '@sheaf/contract';
import type { FastifyInstance } from 'fastify';
import type { AppPasswords } from '#/identity/app-passwords/service.ts';
import type { DeviceSignIn, Polled } from '#/identity/device-sign-in/service.ts';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf } from '#/identity/sessions/session-cookies.ts';
import { networkOf } from '#/platform/http/network.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Allowance, Throttle } from '#/platform/throttle.ts';
import { OAuthError } from '#/serving/agents/oauth/oauth-error.ts';
import { needed } from '#/serving/agents/oauth/parameters.ts';
import { answering, formOf } from '#/serving/agents/oauth/routes.ts';
import { publicHostKeyIn } from '#/serving/sftp/host-key.ts';

interface Deps {
  readonly deviceSignIn: DeviceSignIn;
  readonly appPasswords: Pick<AppPasswords, 'signIn' | 'revoke'>;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly alerts: Alerts;
  readonly throttle: Pick<Throttle, 'count'>;
  readonly config: { readonly dataDir: string };
  readonly sftp: { port(): number | undefined };
  readonly access: { has(accountId: string, userLinkId: string): Promise<boolean> };
}

/** Limit of unknown codes from one network. */
const refusals: Allowance = { tries: 60, seconds: 900 };

/** Device authorization (RFC 8628): the endpoints of programs, and the calls of the page that confirms their codes. */
export function deviceRoutes(app: FastifyInstance, services: Deps): void {
  const { deviceSignIn, appPasswords, reauthentication, alerts, throttle, access, sftp, config } = services;
  app.post(deviceEndpoints.authorize, (request, reply) =>
    answering(request, reply, async () => {
      const parameters = formOf(request);
      needed(parameters, 'client_id');
      const codes = await deviceSignIn.askToSignIn(parameters.get('device_name') ?? '', deviceOf(request));
      return {
        device_code: codes.deviceCode,
        user_code: codes.userCode,
        verification_uri: codes.verificationUri,
        verification_uri_complete: codes.verificationUriComplete,
        expires_in: codes.expiresIn,
        interval: codes.interval,
      };
    }),
  );

  app.post(deviceEndpoints.token, (request, reply) =>
    answering(request, reply, async () => {
      const parameters = formOf(request);
      needed(parameters, 'client_id');
      if (needed(parameters, 'grant_type') !== deviceGrant) throw new OAuthError('unsupported_grant_type', `offered is ${deviceGrant}`);
      const deviceCode = needed(parameters, 'device_code');
      const polled = await deviceSignIn.poll(deviceCode, deviceOf(request), access.has).catch((error: unknown) => {
        // It was confirmed, but cannot be granted any more: the link is gone, or there are too many passwords.
        if (error instanceof AppError && error.status !== 429) throw new OAuthError('access_denied', error.message);
        throw error;
      });
      if (polled.state === 'unknown') await throttle.count(`device codes refused to ${networkOf(request.ip)}`, refusals);
      if (polled.state === 'signedIn') {
        alerts.tell(polled.accountId, { kind: 'deviceSignedIn', name: polled.name }, deviceOf(request));
        const { loginName: login_name, loginAccount: login_account } = polled.login;
        return { access_token: polled.token, token_type: 'Bearer', login_name, login_account };
      }
      if (polled.state === 'drive') {
        alerts.tell(polled.accountId, { kind: 'appPasswordMade', name: polled.name }, deviceOf(request));
        return { access_token: polled.password, token_type: 'app_password', username: polled.username };
      }
      throw refusalOf(polled.state);
    }),
  );

  /** Revokes an app password for anyone who has it, like tokens in RFC 7009; the answer does not say whether there was one. */
  app.post(deviceEndpoints.revoke, (request, reply) =>
    answering(request, reply, async () => {
      const parameters = formOf(request);
      const [username, password] = [needed(parameters, 'username'), needed(parameters, 'token')];
      try {
        const device = { address: request.ip, usedBy: 'Revoked by its program' };
        const { accountId, appPasswordId } = await appPasswords.signIn(username, password, device);
        await appPasswords.revoke(accountId, appPasswordId);
      } catch (error) {
        if (!(error instanceof AppError) || error.messageCode === 'TOO_MANY_TRIES') throw error;
      }
      return {};
    }),
  );

  serve(app, askForDrive, ({ userId, input: { name, linkUri: folders, rights }, request }) =>
    deviceSignIn.askForDrive(userId, { name, folders, rights }, deviceOf(request), access.has),
  );
  serve(app, sftpHostKey, async () => (sftp.port() === undefined ? {} : { hostKey: await publicHostKeyIn(config.dataDir) }));
  serve(app, lookAtDevice, ({ userId, session, input, request }) => {
    requireBrowser(session);
    return deviceSignIn.look(userId, input.userCode, deviceOf(request));
  });
  serve(app, confirmDevice, async ({ userId, session, input, request }) => {
    await reauthentication.require(session);
    await deviceSignIn.confirm(userId, input.userCode, deviceOf(request));
    return {};
  });
  serve(app, refuseDevice, async ({ userId, session, input, request }) => {
    requireBrowser(session);
    await deviceSignIn.refuse(userId, input.userCode, deviceOf(request));
    return {};
  });
}

/** The error codes of RFC 8628, section 3.5. */
function refusalOf(state: Exclude<Polled['state'], 'signedIn' | 'drive'>): OAuthError {
  switch (state) {
    case 'pending':
      return new OAuthError('authorization_pending', 'nobody has confirmed the code yet');
    case 'tooOften':
      return new OAuthError('slow_down', 'wait five seconds longer between two questions from now on');
    case 'refused':
      return new OAuthError('access_denied', 'the person refused');
    case 'expired':
      return new OAuthError('expired_token', 'the code has expired');
    case 'unknown':
      return new OAuthError('invalid_grant', 'this code is unknown or has been used');
  }
}
