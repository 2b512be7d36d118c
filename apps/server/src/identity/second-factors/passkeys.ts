import { isIPv4 } from 'node:net';
import { appError } from '@sheaf/contract';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AccountRow } from '#/identity/account/store.ts';
import type { Clock } from '#/platform/clock.ts';
import { hashToken, newToken } from '#/platform/tokens.ts';
import type { ChallengeStore } from './challenge-store.ts';
import type { PasskeyRow, SecondFactorStore } from './store.ts';

/** Seconds for which a challenge is valid. */
const answerTime = 600;
/** Longest answer in characters; real ones have a few thousand. */
const longestAnswer = 100_000;

/** EdDSA, ES256 and RS256 (RFC 9053): the algorithms of common authenticators. */
const algorithms = [-8, -7, -257] as const;

/** Purpose of a challenge: registering a passkey, sign-in with it alone, second factor, or reauthentication. */
type Purpose = 'add' | 'signIn' | 'factor' | 'prove';

/** A newly created passkey before it is named. */
type MadePasskey = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'signsIn'>;

interface Deps {
  readonly store: SecondFactorStore;
  readonly challenges: ChallengeStore;
  readonly publicUrl: string;
  readonly now: Clock;
}

export type Passkeys = ReturnType<typeof createPasskeys>;

/** Loads the library with the first passkey. */
const library = () => import('@simplewebauthn/server');

/**
 * Passkeys by Web Authentication Level 3. The relying party is the host of the public address. Methods throw NO_PASSKEYS_HERE where browsers allow
 * none.
 */
export function createPasskeys({ store, challenges, publicUrl, now }: Deps) {
  const { hostname: rpID, protocol, origin } = new URL(publicUrl);
  const isPossible =
    // URL writes an IPv6 address in brackets. Node's own test for one takes 5 ms of each start.
    !isIPv4(rpID) && !rpID.startsWith('[') && (protocol === 'https:' || rpID === 'localhost' || rpID.endsWith('.localhost'));

  async function challenge(purpose: Purpose, accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
    if (!isPossible) throw appError('NO_PASSKEYS_HERE', {});
    const text = newToken();
    await challenges.insert({ challengeHash: hashToken(text), purpose, accountId, expiresAt: now() + answerTime });
    return new Uint8Array(Buffer.from(text, 'base64url'));
  }

  /** Spends a challenge; one of another purpose or account is refused and spent too. */
  const expects = (purpose: Purpose, accountId: string | null) => async (text: string) => {
    const row = await challenges.take(hashToken(text), now());
    return row !== undefined && row.purpose === purpose && row.accountId === accountId;
  };

  const known = ({ credentialId, transports }: PasskeyRow) => ({ id: credentialId, transports: JSON.parse(transports) as string[] });

  return {
    isPossible,

    /** Creation options for the browser. */
    async creationOptions({ id, name, email }: AccountRow): Promise<string> {
      const options = await (
        await library()
      ).generateRegistrationOptions({
        rpName: 'Sheaf',
        rpID,
        userID: new Uint8Array(Buffer.from(id)),
        userName: email,
        userDisplayName: name,
        challenge: await challenge('add', id),
        excludeCredentials: (await store.passkeys(id)).map(known),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
        extensions: { credProps: true },
        supportedAlgorithmIDs: [...algorithms],
      });
      return JSON.stringify(options);
    },

    /** Verifies the browser's attestation. Throws PASSKEY_REFUSED. */
    async made(accountId: string, attestation: string): Promise<MadePasskey> {
      const response = readAnswer<RegistrationResponseJSON>(attestation);
      return refusing(async () => {
        const { registrationInfo: made } = await (
          await library()
        ).verifyRegistrationResponse({
          response,
          expectedChallenge: expects('add', accountId),
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: false,
          supportedAlgorithmIDs: [...algorithms],
        });
        if (!made) return undefined;
        const { id, publicKey, counter, transports = [] } = made.credential;
        const isFoundAlone = response.clientExtensionResults.credProps?.rk === true;
        return {
          credentialId: id,
          publicKey: Buffer.from(publicKey).toString('base64url'),
          counter,
          transports: JSON.stringify(transports),
          signsIn: isFoundAlone && made.userVerified ? 1 : 0,
        };
      });
    },

    /** Request options for the browser; for sign-in with a passkey alone no account is named. */
    async requestOptions(purpose: 'signIn' | 'factor' | 'prove', accountId: string | null): Promise<string> {
      const options = await (
        await library()
      ).generateAuthenticationOptions({
        rpID,
        challenge: await challenge(purpose, accountId),
        userVerification: purpose === 'signIn' ? 'required' : 'preferred',
        ...(accountId !== null && { allowCredentials: (await store.passkeys(accountId)).map(known) }),
      });
      return JSON.stringify(options);
    },

    /** Verifies the assertion and returns the passkey's account. Throws PASSKEY_REFUSED. */
    async signed(purpose: 'signIn' | 'factor' | 'prove', accountId: string | null, assertion: string): Promise<string> {
      const response = readAnswer<AuthenticationResponseJSON>(assertion);
      return refusing(async () => {
        const row = typeof response.id === 'string' ? await store.findPasskey(response.id) : undefined;
        if (!row || (accountId !== null && row.accountId !== accountId)) return undefined;
        if (purpose === 'signIn' && row.signsIn !== 1) return undefined;
        const { verified, authenticationInfo } = await (
          await library()
        ).verifyAuthenticationResponse({
          response,
          expectedChallenge: expects(purpose, accountId),
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: purpose === 'signIn',
          credential: { id: row.credentialId, publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')), counter: row.counter },
        });
        if (!verified) return undefined;
        await store.notePasskey(row.id, authenticationInfo.newCounter, now());
        return row.accountId;
      });
    },

    sweep: () => challenges.sweep(now()),
  };
}

/** The library throws for every invalid answer and explains it only in words; the client learns no details. */
async function refusing<T>(read: () => Promise<T | undefined>): Promise<T> {
  const result = await read().catch((error: unknown) => {
    throw appError('PASSKEY_REFUSED', {}, error);
  });
  if (result === undefined) throw appError('PASSKEY_REFUSED', {});
  return result;
}

function readAnswer<T extends object>(text: string): T {
  try {
    const answer: unknown = text.length > longestAnswer ? undefined : JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'response' in answer && 'clientExtensionResults' in answer) return answer as T;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw appError('PASSKEY_REFUSED', {});
}
