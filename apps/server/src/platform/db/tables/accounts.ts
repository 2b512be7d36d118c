/** Times are epoch seconds, booleans are 0 or 1: both engines store them alike. */
export interface AccountTables {
  account: {
    id: string;
    /** `person`, or `organisation`, which nobody can sign in to. */
    kind: string;
    name: string;
    /** As the user typed it. */
    email: string;
    /** Lower case and NFC; unique. */
    emailKey: string;
    /** argon2id in PHC form; null when only sign-in providers open the account. */
    passwordHash: string | null;
    verifiedAt: number | null;
    disabledAt: number | null;
    createdAt: number;
    /** When the account ends; null unless it is being closed. */
    closesAt: number | null;
    /** End of the lease of the instance that ends the account. */
    closingLease: number | null;
  };
  /** A subject at an OpenID provider that opens an account. */
  identity: {
    issuer: string;
    subject: string;
    accountId: string;
    provider: string;
    email: string;
    /** The person's name as the provider last gave it. */
    name: string | null;
    createdAt: number;
  };
  session: {
    /** Shown in the list of sessions; grants nothing. */
    id: string;
    /** SHA-256 of the cookie, base64url. */
    tokenHash: string;
    accountId: string;
    rTag: string;
    userAgent: string;
    address: string;
    createdAt: number;
    lastSeenAt: number;
    expiresAt: number;
    /** Time of the last reauthentication. */
    provenAt: number;
    /** The sign-in provider that opened it; null for every other way. */
    provider: string | null;
    /** The provider's id of its own session, where it tells one (`sid`). */
    providerSid: string | null;
  };
  /** A mailed link: works once, until it expires. */
  mail_token: {
    tokenHash: string;
    purpose: string;
    accountId: string;
    /** The address it was mailed to. */
    email: string;
    expiresAt: number;
  };
  /** A sign-up that waits for the link mailed to its address. */
  signUp: {
    tokenHash: string;
    email: string;
    name: string;
    passwordHash: string;
    /** SHA-256 of the token of the browser that signed up, base64url. */
    browserHash: string;
    /** The hash of the token of the invitation by which it was made; null without one. */
    invitationHash: string | null;
    expiresAt: number;
  };
  /** Failed tries counted for one key within a window. */
  throttle: {
    key: string;
    tries: number;
    windowEndsAt: number;
  };
  /** A sign-in at an OpenID provider that is under way. */
  sign_in: {
    /** SHA-256 of the cookie that binds it to the browser, base64url. */
    bindingHash: string;
    provider: string;
    state: string;
    nonce: string;
    codeVerifier: string;
    redirectUrl: string;
    cancelUrl: string;
    /** The account to which the identity will be added; null for a sign-in. */
    joinsId: string | null;
    expiresAt: number;
  };
  knownDevice: {
    accountId: string;
    /** Hash of the token in the browser's cookie. */
    tokenHash: string;
    lastUsedAt: number;
  };
}
