import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** An authentication code in its owner's list, without the code itself, which is shown only once, on creation. */
export const AuthCode = Type.Object({
  authCodeId: text,
  name: text,
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  /** Epoch seconds of the last call with one of its tokens; absent before. */
  lastUsedAt: optional(Type.Integer()),
  /** Number of command-line clients that have signed in with it. */
  clients: Type.Integer(),
});
export type AuthCode = Static<typeof AuthCode>;

export const listAuthCodes = call({
  method: 'GET',
  path: '/rest/account/auth_codes',
  input: Type.Object({}),
  reply: Type.Object({ codes: Type.Array(AuthCode) }),
  summary: "The account's authentication codes.",
});
export const createAuthCode = call({
  method: 'POST',
  path: '/rest/account/create_auth_code',
  rTag: 'required',
  input: Type.Object({ name: text, rTag }),
  reply: Type.Object({ authCode: text, code: AuthCode }),
  summary: 'Makes an authentication code; it is told this once.',
});
export const revokeAuthCode = call({
  method: 'POST',
  path: '/rest/account/revoke_auth_code',
  rTag: 'required',
  input: Type.Object({ authCodeId: text, rTag }),
  reply: Type.Object({}),
  summary: 'Revokes an authentication code and signs out every client that used it.',
});
export const makeToken = call({
  method: 'POST',
  path: '/rest/auth/token',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ authCode: text }),
  reply: Type.Object({ token: text, loginName: text, loginAccount: text }),
  summary: 'Signs a command-line client in: gives a token for the header Authorization: Bearer.',
});
