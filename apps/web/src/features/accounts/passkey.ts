import { WordedError } from '#/lib/http/error-text.ts';

const library = () => import('@simplewebauthn/browser');

/** Whether this browser supports passkeys. */
export const hasPasskeys = typeof PublicKeyCredential === 'function';

/** Browser errors for both a cancelled prompt and no matching passkey, which it does not tell apart. */
const turnedAway = new Set(['NotAllowedError', 'AbortError']);

async function attempt(ask: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'InvalidStateError') throw new WordedError('This device already has a passkey for your account.', { cause: error });
    if (turnedAway.has(error.name)) throw new WordedError('No passkey was used. Please try again.', { cause: error });
    throw new WordedError('This browser could not use the passkey.', { cause: error });
  }
}

/** Lets the browser create a passkey with the server's options; rejects with an error message for the user. */
export const makePasskey = (options: string): Promise<string> =>
  attempt(async () => (await library()).startRegistration({ optionsJSON: JSON.parse(options) as never }));

/** Lets the browser sign the server's challenge with a passkey; rejects with an error message for the user. */
export const askPasskey = (options: string): Promise<string> =>
  attempt(async () => (await library()).startAuthentication({ optionsJSON: JSON.parse(options) as never }));
