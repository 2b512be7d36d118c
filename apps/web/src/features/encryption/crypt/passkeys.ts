import { fromBase64Url, toBase64Url } from '@sheaf/vault';
import { WordedError } from '#/lib/http/error-text.ts';

/** What the server stores of a passkey that unlocks a vault; only browsers read it. */
export interface StoredPasskey {
  /** Id of the passkey, and the salt for its `prf` extension; both base64url. */
  readonly credentialId: string;
  readonly salt: string;
  /** The passwords, sealed with the output of the extension. */
  readonly passwords: string;
}

/** Time for the user to touch the key or sensor, in milliseconds. */
const patience = 120_000;
const random = (size: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(size));

/** Whether this page can use passkeys; never over plain HTTP. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

export function storedPasskey(text: string): StoredPasskey {
  const { credentialId, salt, passwords } = JSON.parse(text) as Partial<StoredPasskey>;
  if (typeof credentialId !== 'string' || typeof salt !== 'string' || typeof passwords !== 'string')
    throw new WordedError('This passkey was added by another version of Sheaf.');
  return { credentialId, salt, passwords };
}

/**
 * Creates a passkey for a vault and obtains its `prf` output, 32 bytes that only it can produce. It cannot sign in: the server stores no public key.
 * Rejects with a WordedError if the passkey lacks the extension, or the user cancels.
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
  // Many passkeys return the output only on use, not on creation.
  const output = bytesOf(prf.results?.first) ?? (await askPasskeys([known])).output;
  return { ...known, output };
}

/** Obtains the `prf` output of one of these passkeys. */
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
