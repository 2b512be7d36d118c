import { fromBase64Url, toBase64Url } from '@sheaf/vault';
import { WordedError } from '#/lib/http/error-text.ts';

/** What browsers keep at the server of a passkey that unlocks a vault. */
export interface StoredPasskey {
  /** Base64url of the passkey's id and of the salt that its function is asked for. */
  readonly credentialId: string;
  readonly salt: string;
  /** The passwords, which the function's output opens. */
  readonly passwords: string;
}

/** Milliseconds that somebody may take to touch a key or show a finger. */
const patience = 120_000;
const random = (size: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(size));

/** Whether this page can use passkeys at all: not on plain http. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

export function storedPasskey(text: string): StoredPasskey {
  const { credentialId, salt, passwords } = JSON.parse(text) as Partial<StoredPasskey>;
  if (typeof credentialId !== 'string' || typeof salt !== 'string' || typeof passwords !== 'string')
    throw new WordedError('This passkey was added by another version of Sheaf.');
  return { credentialId, salt, passwords };
}

/**
 * Makes a passkey for a vault, and asks it for 32 bytes that only it can make. It is not one for signing in: the server keeps no public key of it.
 * Rejects with a WordedError where the passkey has no such function, or was not used.
 */
export async function makePasskey(vaultName: string): Promise<{ credentialId: string; salt: string; output: ArrayBuffer }> {
  const salt = random(32);
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: 'Sheaf vaults' },
        user: { id: random(32), name: `Vault ${vaultName}`, displayName: `Vault ${vaultName}` },
        challenge: random(32),
        pubKeyCredParams: [
          { type: 'public-key', alg: -7 },
          { type: 'public-key', alg: -257 },
        ],
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        extensions: { prf: { eval: { first: salt } } },
        timeout: patience,
      },
    }),
  );
  const { prf } = made.getClientExtensionResults();
  if (prf?.enabled === false || !prf)
    throw new WordedError('This passkey cannot unlock vaults: it, or this browser, lacks the function “prf”. Please try another one.');
  const known = { credentialId: toBase64Url(new Uint8Array(made.rawId)), salt: toBase64Url(salt) };
  // Many passkeys give their output only when they are used.
  const output = bytesOf(prf.results?.first) ?? (await askPasskeys([known])).output;
  return { ...known, output };
}

/** Asks one of these passkeys for its output. */
export async function askPasskeys(
  passkeys: readonly Pick<StoredPasskey, 'credentialId' | 'salt'>[],
): Promise<{ credentialId: string; output: ArrayBuffer }> {
  const used = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(32),
        allowCredentials: passkeys.map(({ credentialId }) => ({ type: 'public-key', id: fromBase64Url(credentialId) })),
        userVerification: 'required',
        extensions: {
          prf: {
            evalByCredential: Object.fromEntries(passkeys.map(({ credentialId, salt }) => [credentialId, { first: fromBase64Url(salt) }])),
          },
        },
        timeout: patience,
      },
    }),
  );
  const output = bytesOf(used.getClientExtensionResults().prf?.results?.first);
  if (!output) throw new WordedError('The passkey gave no key. Please use the passphrase.');
  return { credentialId: toBase64Url(new Uint8Array(used.rawId)), output };
}

const bytesOf = (source: BufferSource | undefined): ArrayBuffer | undefined => {
  if (source === undefined) return undefined;
  const view = source instanceof ArrayBuffer ? new Uint8Array(source) : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return Uint8Array.from(view).buffer;
};

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (error) {
    throw new WordedError('No passkey was used. Please try again, or use the passphrase.', { cause: error });
  }
  if (!(credential instanceof PublicKeyCredential)) throw new WordedError('No passkey was used. Please try again, or use the passphrase.');
  return credential;
}
