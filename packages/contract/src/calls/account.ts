import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { Session } from './auth.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

/** Days between the request to close an account and its end. */
export const closingDays = 14;

export const setPassword = call({
  method: 'POST',
  path: '/rest/account/set_password',
  rTag: 'required',
  input: Type.Object({
    newPassword: text,
    /** Keeps authentication codes and their tokens: programs on the user's computers keep running. */
    keepAuthCodes: optional(Type.Boolean()),
    rTag,
  }),
  reply: Nothing,
  summary:
    'Sets or changes the password and ends all other sessions; authentication codes and their tokens too, unless they are to be kept.',
});
export const removePassword = call({
  method: 'POST',
  path: '/rest/account/remove_password',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Nothing,
  summary: 'Removes the password, if there is another way to sign in.',
});
export const linkIdentity = call({
  method: 'POST',
  path: '/rest/account/link_identity',
  rTag: 'required',
  input: Type.Object({ provider: text, rTag }),
  reply: Type.Object({ url: text }),
  summary: 'Where to go for the account to be opened by a sign-in provider from then on.',
});
export const unlinkIdentity = call({
  method: 'POST',
  path: '/rest/account/unlink_identity',
  rTag: 'required',
  input: Type.Object({ identityId: text, rTag }),
  reply: Nothing,
  summary: 'The sign-in provider no longer opens the account.',
});

/** What closing the account affects. */
export const Closing = Type.Object({
  links: Type.Integer(),
  shares: Type.Integer(),
  /** Spaces of the account, with the number of other members. */
  spaces: Type.Array(Type.Object({ name: text, members: Type.Integer() })),
  /** Organisations to hand over or close first. */
  organisations: Type.Array(Type.Object({ orgOid: text, name: text })),
  /** Paid until `endsAt`, in epoch seconds. */
  subscriptions: Type.Array(Type.Object({ name: text, endsAt: Type.Integer() })),
  /** Whether closing requires the password; otherwise reauthentication. */
  hasPassword: Type.Boolean(),
  days: Type.Integer(),
});
export type Closing = Static<typeof Closing>;
export const getClosing = call({
  method: 'GET',
  path: '/rest/account/closing',
  input: Type.Object({}),
  reply: Closing,
  summary: 'What would be lost by closing the account.',
});
export const closeAccount = call({
  method: 'POST',
  path: '/rest/account/close',
  rTag: 'required',
  input: Type.Object({ email: text, password: optional(text), rTag }),
  reply: Type.Object({ closesAt: Type.Integer() }),
  summary: 'Closes the account: sessions and shares end now, everything else after some days in which it can be kept.',
});
export const reopenAccount = call({
  method: 'POST',
  path: '/rest/account/reopen',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ ticket: text }),
  reply: Session,
  summary: 'Keeps an account that is about to be closed, and signs in.',
});
