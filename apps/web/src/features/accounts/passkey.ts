const library = () => import('@simplewebauthn/browser');

/** Whether this browser has passkeys at all. */
export const hasPasskeys = typeof PublicKeyCredential === 'function';

/** What the browser says when the user turned away, or nothing was found: it does not tell these apart. */
const turnedAway = new Set(['NotAllowedError', 'AbortError']);

async function attempt(ask: () => Promise<object>): Promise<string> {
  try {
    return JSON.stringify(await ask());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'InvalidStateError') throw new Error('This device already has a passkey for your account.', { cause: error });
    if (turnedAway.has(error.name)) throw new Error('No passkey was used. Please try again.', { cause: error });
    throw new Error('This browser could not use the passkey.', { cause: error });
  }
}

/** Lets the browser make a passkey of the server's options; rejects with an error whose message is for the user. */
export const makePasskey = (options: string): Promise<string> =>
  attempt(async () => (await library()).startRegistration({ optionsJSON: JSON.parse(options) as never }));

/** Lets the browser sign with a passkey what the server asks; rejects with an error whose message is for the user. */
export const askPasskey = (options: string): Promise<string> =>
  attempt(async () => (await library()).startAuthentication({ optionsJSON: JSON.parse(options) as never }));
