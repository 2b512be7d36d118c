import { logout, makeToken } from '@sheaf/contract';
import { createClient } from '#/client.ts';
import { type Command, exactly } from '#/command.ts';
import { Failure, Refusal } from '#/failure.ts';
import { serverUrl } from '#/settings.ts';

const isLocal = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

export const signIn: Command = {
  usage: 'ADDRESS',
  about: 'Signs in to the Sheaf at ADDRESS with an authentication code, which is asked for (or read from standard input).',
  async run({ terminal, http, settings, signal }, args) {
    const url = serverUrl(exactly(args, 'ADDRESS')[0]);
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !isLocal(hostname))
      terminal.tell('Careful: over http, the code and your files cross the network in clear.');
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
