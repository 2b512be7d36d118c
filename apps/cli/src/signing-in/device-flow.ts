import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type DeviceCodes, deviceEndpoints, deviceGrant } from '@sheaf/contract';
import { ConnectionLost, Failure } from '#/failure.ts';
import { type Http, textOf } from '#/http.ts';
import { recordIn } from '#/json.ts';
import { printable } from '#/names.ts';
import type { Terminal } from '#/terminal.ts';
import { userAgent } from '#/version.ts';

const clientId = 'sheaf-cli';
/** Seconds that `slow_down` adds to the polling interval, and the longest interval: RFC 8628, section 3.5. */
const slower = 5;
const longestPause = 60;

/** Name of this computer, shown for the confirmation in the browser. */
export const computerName = (): string => hostname().replace(/\.local$/, '');

interface Server {
  readonly http: Http;
  readonly url: string;
  readonly signal: AbortSignal;
}

/** Answer to a confirmed program. */
export interface Granted {
  readonly token: string;
  /** Returns another field of the answer, as text. */
  text(name: string): string;
}

/** Requests the codes of RFC 8628, section 3.2. Rejects with Failure if the server does not support device sign-in. */
export async function beginSignIn(server: Server): Promise<DeviceCodes> {
  const { status, fields } = await post(server, deviceEndpoints.authorize, { client_id: clientId, device_name: computerName() });
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUri, expires_in: expiresIn } = fields;
  const { verification_uri_complete: complete = verificationUri, interval = 5 } = fields;
  if (status === 404) throw new Failure(`${server.url} has no sign-in by browser. Sign in with a code: sheaf sign-in ${server.url}`);
  if (
    typeof deviceCode !== 'string' ||
    typeof userCode !== 'string' ||
    typeof verificationUri !== 'string' ||
    typeof complete !== 'string' ||
    typeof expiresIn !== 'number' ||
    typeof interval !== 'number'
  )
    throw refusalOf(fields, status);
  return { deviceCode, userCode, verificationUri, verificationUriComplete: complete, expiresIn, interval };
}

/** Shows the code, opens the browser, and waits for the user's decision. Rejects with Failure when they refuse, or the code expires. */
export async function waitForConfirmation(
  server: Server,
  terminal: Terminal,
  { deviceCode, userCode, verificationUriComplete, expiresIn, interval }: DeviceCodes,
  opensBrowser: boolean,
): Promise<Granted> {
  checkAddress(server.url, verificationUriComplete);
  terminal.tell(`Confirm in the browser that it shows this code:\n\n    ${printable(userCode)}\n\n${printable(verificationUriComplete)}\n`);
  if (opensBrowser) terminal.openBrowser(verificationUriComplete);
  const end = performance.now() + expiresIn * 1000;
  let pause = Math.max(1, interval);
  while (performance.now() < end) {
    await wait(pause * 1000, undefined, { signal: server.signal });
    const answer = await post(server, deviceEndpoints.token, {
      client_id: clientId,
      grant_type: deviceGrant,
      device_code: deviceCode,
    }).catch((error: unknown) => {
      if (!(error instanceof ConnectionLost)) throw error;
      return undefined;
    });
    const { status = 0, fields = {} } = answer ?? {};
    const { error, access_token: token } = fields;
    if (typeof token === 'string') return { token, text: (name) => textIn(fields, name) };
    // Polls less often while the server does not answer.
    if (!answer || status >= 500) pause = Math.min(longestPause, pause * 2);
    else if (error === 'slow_down' || status === 429) pause += slower;
    else if (error !== 'authorization_pending') throw refusalOf(fields, status);
  }
  throw new Failure('Nobody confirmed the code in time. Nothing was changed.');
}

/** Revokes an app password of this program. */
export async function revoke(server: Server, username: string, token: string): Promise<void> {
  const { status, fields } = await post(server, deviceEndpoints.revoke, { username, token });
  if (status !== 200) throw refusalOf(fields, status);
}

/** Throws unless the address belongs to the server that the user named: it comes from the network, and could open anything. */
function checkAddress(url: string, address: string): void {
  const { protocol } = URL.canParse(address) ? new URL(address) : { protocol: '' };
  if (protocol !== 'https:' && new URL(address, url).origin !== new URL(url).origin)
    throw new Failure(`The server sends the browser to an address that is not safe: ${printable(address)}`);
}

async function post(
  { http, url, signal }: Server,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly fields: Readonly<Record<string, unknown>> }> {
  const answer = await http.send(new URL(path, url), {
    method: 'POST',
    headers: { accept: 'application/json', 'user-agent': userAgent, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  return { status: answer.status, fields: recordIn(await textOf(answer, 1 << 20)) ?? {} };
}

const textIn = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

/** Maps the errors of RFC 6749, section 5.2, and RFC 8628, section 3.5. */
function refusalOf(fields: Readonly<Record<string, unknown>>, status: number): Failure {
  if (fields['error'] === 'access_denied') return new Failure(`It was not let in: ${textIn(fields, 'error_description')}.`);
  if (fields['error'] === 'expired_token') return new Failure('Nobody confirmed the code in time. Nothing was changed.');
  const told = textIn(fields, 'error_description') || textIn(fields, 'message');
  return new Failure(`The server refused: ${told === '' ? `HTTP status ${status}` : told}.`);
}
