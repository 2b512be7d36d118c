import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { SignInAnswer } from './auth.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

/** Number of recovery codes of an account. */
export const recoveryCodeCount = 10;

/** A passkey in its owner's list. */
export const Passkey = Type.Object({
  passkeyId: text,
  name: text,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** Epoch seconds; absent until it is used. */
  lastUsedAt: optional(Type.Integer()),
  /** Whether it can replace the password, not only serve as second factor. */
  signsIn: Type.Boolean(),
});
export type Passkey = Static<typeof Passkey>;

/** Ways to sign in to the account, and its second factors. */
export const SignInWays = Type.Object({
  hasPassword: Type.Boolean(),
  /** `opens`: false if the provider is no longer configured, so it cannot be used to sign in. */
  identities: Type.Array(Type.Object({ identityId: text, provider: text, title: text, email: text, opens: Type.Boolean() })),
  passkeys: Type.Array(Passkey),
  /** When the authenticator app was activated, epoch seconds; absent without one. */
  totpSince: optional(Type.Integer()),
  recoveryCodesLeft: Type.Integer(),
  /** False if browsers refuse passkeys at this address: they require a host name, and HTTPS unless it is localhost. */
  canPasskey: Type.Boolean(),
});
export type SignInWays = Static<typeof SignInWays>;
export const signInWays = call({
  method: 'GET',
  path: '/rest/account/sign_in_ways',
  input: Type.Object({}),
  reply: SignInWays,
  summary: 'How the account is signed in to.',
});

/** WebAuthn options as JSON text (PublicKeyCredentialRequestOptionsJSON or PublicKeyCredentialCreationOptionsJSON, Web Authentication Level 3 §5.1). */
const Options = Type.Object({ options: text });

export const passkeyOptions = call({
  method: 'POST',
  path: '/rest/auth/passkey/options',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ ticket: optional(text) }),
  reply: Options,
  summary: 'What a passkey is asked to sign: for signing in without a password, or as the second step of the ticket given.',
});
export const passkeyLogin = call({
  method: 'POST',
  path: '/rest/auth/passkey/login',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ assertion: text }),
  reply: SignInAnswer,
  summary: 'Signs in with a passkey alone.',
});

/** One of these; the assertion is a passkey's answer as JSON text. */
const Answer = { code: optional(text), recoveryCode: optional(text), assertion: optional(text) };
export const secondFactor = call({
  method: 'POST',
  path: '/rest/auth/second_factor',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ ticket: text, ...Answer }),
  reply: SignInAnswer,
  summary: 'The second step of signing in.',
});

export const proofOptions = call({
  method: 'POST',
  path: '/rest/account/proof_options',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Options,
  summary: 'What a passkey of the account is asked to sign to prove who is there.',
});
export const prove = call({
  method: 'POST',
  path: '/rest/account/prove',
  rTag: 'required',
  input: Type.Object({ password: optional(text), ...Answer, rTag }),
  reply: Nothing,
  summary:
    'Proves anew who is there, as calls that answer 760 want it: by the second step, or where there is none by the password. It holds for ten minutes.',
});

export const beginTotp = call({
  method: 'POST',
  path: '/rest/account/totp/begin',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Type.Object({ secret: text, uri: text }),
  summary: 'A new secret for an authenticator app; it counts when a code of it has come back.',
});
const RecoveryCodes = Type.Array(text);
export const confirmTotp = call({
  method: 'POST',
  path: '/rest/account/totp/confirm',
  rTag: 'required',
  input: Type.Object({ code: text, rTag }),
  reply: Type.Object({ recoveryCodes: optional(RecoveryCodes) }),
  summary: 'Switches codes of the authenticator app on; with the first second step come recovery codes, told this once.',
});
export const removeTotp = call({
  method: 'POST',
  path: '/rest/account/totp/remove',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Nothing,
  summary: 'Asks for codes of the authenticator app no more.',
});
export const beginPasskey = call({
  method: 'POST',
  path: '/rest/account/passkey/begin',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Options,
  summary: 'What a new passkey is made of.',
});
export const addPasskey = call({
  method: 'POST',
  path: '/rest/account/passkey/add',
  rTag: 'required',
  input: Type.Object({ name: text, attestation: text, rTag }),
  reply: Type.Object({ passkey: Passkey, recoveryCodes: optional(RecoveryCodes) }),
  summary: 'Keeps a new passkey; with the first second step come recovery codes, told this once.',
});
export const renamePasskey = call({
  method: 'POST',
  path: '/rest/account/passkey/rename',
  rTag: 'required',
  input: Type.Object({ passkeyId: text, name: text, rTag }),
  reply: Nothing,
  summary: 'Renames a passkey.',
});
export const removePasskey = call({
  method: 'POST',
  path: '/rest/account/passkey/remove',
  rTag: 'required',
  input: Type.Object({ passkeyId: text, rTag }),
  reply: Nothing,
  summary: 'Forgets a passkey.',
});
export const renewRecoveryCodes = call({
  method: 'POST',
  path: '/rest/account/recovery_codes',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Type.Object({ recoveryCodes: RecoveryCodes }),
  summary: 'New recovery codes, told this once, in the place of the old ones.',
});
