import { logout, makeToken } from '@sheaf/contract';
import { createClient } from '#/client.ts';
import { type Command, exactly } from '#/command.ts';
import { Failure, Refusal } from '#/failure.ts';
import { printable } from '#/names.ts';
import { serverUrl } from '#/settings.ts';
import { beginSignIn, waitForConfirmation } from '#/signing-in/device-flow.ts';
import type { Terminal } from '#/terminal.ts';

const isLocal = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

/** Parses the address of a server; warns about an unencrypted one. */
function serverOf(typed: string, terminal: Terminal): string {
  const url = serverUrl(typed);
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLocal(hostname)) terminal.tell('Careful: over http, the code and your files cross the network in clear.');
  return url;
}

export const login: Command = {
  usage: '[--no-open] ADDRESS',
  about:
    'Signs in to the Sheaf at ADDRESS by the browser: shows a code, opens the page that confirms it, and waits. The page may be opened on another device too.',
  options: { 'no-open': { type: 'boolean' } },
  async run({ terminal, http, settings, signal }, args, options) {
    const url = serverOf(exactly(args, 'ADDRESS')[0], terminal);
    const server = { http, url, signal };
    const { token, text } = await waitForConfirmation(server, terminal, await beginSignIn(server), options['no-open'] !== true);
    await settings.save({ url, token });
    terminal.tell(`Signed in as ${printable(text('login_name'))} (${printable(text('login_account'))}).`);
  },
};

export const signIn: Command = {
  usage: 'ADDRESS',
  about: 'Signs in to the Sheaf at ADDRESS with an authentication code, which is asked for (or read from standard input).',
  async run({ terminal, http, settings, signal }, args) {
    const url = serverOf(exactly(args, 'ADDRESS')[0], terminal);
    terminal.tell(`Make a code at ${url}/account/authcodes`);
    const authCode = await terminal.askSecret('Authentication code: ');
    if (authCode === '') throw new Failure('No code was given.', 'usage');
    const { token, loginName, loginAccount } = await createClient(http, { url }).ask(makeToken, { authCode }, signal);
    await settings.save({ url, token });
    terminal.tell(`Signed in as ${loginName} (${loginAccount}).`);
  },
};

export const signOut: Command = {
  usage: '',
  about: 'Signs out here and makes the token worthless.',
  async run({ settings, client, terminal, signal }, args) {
    exactly(args);
    try {
      await (await client()).ask(logout, {}, signal);
    } catch (error) {
      // A revoked token counts as signed out.
      if (!(error instanceof Refusal && error.exit === 'signedOut')) throw error;
    }
    await settings.forget();
    terminal.tell('Signed out.');
  },
};
