import { type Static, Type } from 'typebox';
import { call } from '../call.ts';

const text = Type.String();
const optional = Type.Optional;
const rTag = optional(text);
const Nothing = Type.Object({});

export const upgradeStates = ['', 'trial', 'upgrade'] as const;
export const Session = Type.Object({
  loginName: text,
  loginAccount: text,
  upgradeState: text,
  expirationDays: optional(Type.Integer()),
  rTag: text,
  emailVerified: Type.Boolean(),
  /** Becomes the account's address once it is confirmed. */
  pendingEmail: optional(text),
  /** Address of the picture, if any. */
  pictureUrl: optional(text),
});
export type Session = Static<typeof Session>;

/** Second factors; recovery codes replace the others. */
export const secondFactorKinds = ['passkey', 'totp', 'recovery'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];
const SecondFactorStep = Type.Object({
  /** Needed for the second step; valid for ten minutes and one sign-in. */
  ticket: text,
  kinds: Type.Array(Type.Unsafe<SecondFactorKind>({ type: 'string', enum: [...secondFactorKinds] })),
});
export type SecondFactorStep = Static<typeof SecondFactorStep>;
const ClosingStep = Type.Object({
  /** Needed to keep the account. */
  ticket: text,
  /** Epoch seconds. */
  closesAt: Type.Integer(),
});
export type ClosingStep = Static<typeof ClosingStep>;
/** A session, or the step that is still required. */
export const SignInAnswer = Type.Union([Session, Type.Object({ secondFactor: SecondFactorStep }), Type.Object({ closing: ClosingStep })]);
export type SignInAnswer = Static<typeof SignInAnswer>;
export const isSession = (answer: object): answer is Session => 'loginAccount' in answer;
/** A session; or, if mail is configured, the address mailed to, whether or not it has an account. */
const SignUpAnswer = Type.Union([Session, Type.Object({ mailedTo: text })]);
/** A session; or the address whose sign-up still needs its password. */
const ConfirmSignupAnswer = Type.Union([Session, Type.Object({ passwordOf: text })]);

export const emailSignup = call({
  method: 'POST',
  path: '/rest/auth/email/signup',
  session: 'none',
  rTag: 'none',
  input: Type.Object({
    name: optional(text),
    email: text,
    password: text,
    /** Final target of the mailed link: a path of this site. */
    redirectUrl: optional(text),
    /** Token of an invitation to this installation, a Space or an organisation. */
    invitation: optional(text),
    /** For the first account: the code printed at the start. */
    setupCode: optional(text),
  }),
  reply: SignUpAnswer,
  summary:
    'Opens an account and signs in; where mails are sent, mails a link that does so, or tells the owner of the address that there is one.',
});
export const confirmSignup = call({
  method: 'POST',
  path: '/rest/auth/email/confirm_signup',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ token: text, password: optional(text) }),
  reply: ConfirmSignupAnswer,
  summary: 'Opens the account that the mailed link is for and signs in; in another browser than signed up, the password is asked for.',
});
export const emailLogin = call({
  method: 'POST',
  path: '/rest/auth/email/login',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ email: text, password: text }),
  reply: SignInAnswer,
  summary: 'Signs in, or says which step is still to be taken.',
});
export const forgotPassword = call({
  method: 'POST',
  path: '/rest/auth/email/forgot',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ email: text }),
  reply: Nothing,
  summary: 'Mails a link to set a new password, if the address is known.',
});
export const resetPassword = call({
  method: 'POST',
  path: '/rest/auth/email/reset',
  session: 'none',
  rTag: 'none',
  input: Type.Object({ token: text, password: text }),
  reply: Nothing,
  summary: 'Sets a new password and ends all sessions.',
});
export const verifyEmail = call({
  method: 'POST',
  path: '/rest/auth/email/verify',
  session: 'optional',
  rTag: 'none',
  input: Type.Object({ token: text }),
  reply: Type.Object({ email: text }),
  summary: 'Confirms an e-mail address; one that waits to become an account’s only for whoever is signed in to that account.',
});
export const resendVerification = call({
  method: 'POST',
  path: '/rest/auth/email/resend',
  rTag: 'required',
  input: Type.Object({ rTag }),
  reply: Nothing,
  summary: 'Mails the verification link again.',
});
export const logout = call({
  method: 'POST',
  path: '/rest/auth/logout',
  rTag: 'required',
  input: Type.Object({ rTag }),
  /** Address that also ends the session at the sign-in provider. */
  reply: Type.Object({ url: optional(text) }),
  summary: 'Ends this session.',
});
export const getSession = call({
  method: 'GET',
  path: '/rest/account/session',
  input: Type.Object({}),
  reply: Session,
  summary: 'Who is signed in.',
});

export const SessionRow = Type.Object({
  sessionId: text,
  current: Type.Boolean(),
  createdAt: Type.Integer(),
  lastSeenAt: Type.Integer(),
  userAgent: text,
  address: text,
});
export type SessionRow = Static<typeof SessionRow>;
export const listSessions = call({
  method: 'GET',
  path: '/rest/account/sessions',
  input: Type.Object({}),
  reply: Type.Object({ sessions: Type.Array(SessionRow) }),
  summary: "The account's sessions.",
});
export const expireSessions = call({
  method: 'POST',
  path: '/rest/account/expire_sessions',
  rTag: 'required',
  input: Type.Object({ sessionId: optional(text), rTag }),
  reply: Nothing,
  summary: 'Ends one session, or all but this one.',
});
export const accountPicture = call({
  method: 'GET',
  path: '/rest/account/picture',
  input: Type.Object({ v: optional(text) }),
  reply: Type.Unknown(),
  summary: "The user's picture (WebP), which comes from their sign-in provider; `v` differs for another picture.",
});
export const updateMember = call({
  method: 'POST',
  path: '/rest/account/update_member_information',
  rTag: 'required',
  input: Type.Object({ newName: optional(text), newEmail: optional(text), rTag }),
  reply: Session,
  summary: 'Changes name and e-mail address; where the address is proven, another one waits until it is confirmed.',
});

/** An OpenID Connect sign-in provider: google, microsoft, or the name of one that the operator configured. */
export type SignInProvider = string;
export const signInPath = (provider: SignInProvider): string => `/login/with/${provider}`;
/** Whether a value has the form of a provider name; `sessionInfo` lists the existing ones. `email` means the form for mail addresses. */
export const isSignInProvider = (value: unknown): value is SignInProvider =>
  typeof value === 'string' && /^[a-z0-9]{1,32}$/.test(value) && value !== 'email';
