import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { Invited } from './members.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);

/** Who may create an account. */
export const SignUpRules = Type.Object({
  mode: Type.Unsafe<'open' | 'invited' | 'closed'>({ type: 'string', enum: ['open', 'invited', 'closed'] }),
  /** While open: the domains whose addresses need no invitation; empty: all. */
  domains: Type.Array(text),
  /**
   * Present while there is no account. The operator creates the first one: with the code printed at the start, with an address of the operators, or
   * without either while only this machine can reach the installation.
   */
  setup: optional(Type.Unsafe<'code' | 'operators' | 'free'>({ type: 'string', enum: ['code', 'operators', 'free'] })),
});
export type SignUpRules = Static<typeof SignUpRules>;

export const showSignUpInvitation = call({
  method: 'POST',
  path: '/rest/auth/invitation',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ token: text }),
  reply: Type.Object({ email: optional(text) }),
  summary: 'Whom an invitation to create an account is for; whoever has its token may ask.',
});

/** Lifetime of an invitation in days. */
const days = Type.Integer({ minimum: 1, maximum: 90 });

export const invitePeople = call({
  method: 'POST',
  path: '/rest/operator/invite',
  rTag: 'required',
  /** Without addresses: one link that anyone may use once. */
  input: Type.Object({ emails: optional(text), days, rTag }),
  reply: Type.Object({
    /** With `link` if no mail was sent: it is shown only here. */
    invited: Type.Array(Type.Object({ email: optional(text), link: optional(text) })),
    refused: Invited.properties.refused,
  }),
  summary: 'For the operator: invites people to create an account, by mail or by a link to copy.',
});

const SignUpInvitation = Type.Object({
  invitationId: text,
  /** Absent for a link that anyone may use. */
  email: optional(text),
  invitedBy: optional(text),
  /** Epoch seconds. */
  createdAt: Type.Integer(),
  expiresAt: Type.Integer(),
});
export type SignUpInvitation = Static<typeof SignUpInvitation>;
export const listSignUpInvitations = call({
  method: 'GET',
  path: '/rest/operator/invitations',
  input: Type.Object({}),
  reply: Type.Object({ invitations: Type.Array(SignUpInvitation) }),
  summary: 'For the operator: invitations to create an account that still work, the newest first.',
});
export const withdrawSignUpInvitation = call({
  method: 'POST',
  path: '/rest/operator/withdraw_invitation',
  rTag: 'required',
  input: Type.Object({ invitationId: text, rTag }),
  reply: Type.Object({ isWithdrawn: Type.Boolean() }),
  summary: 'For the operator: ends an invitation to create an account.',
});
