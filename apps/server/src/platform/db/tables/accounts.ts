/** Times are epoch seconds, truths are 0 or 1: both engines hold them alike. */
export interface AccountTables {
  account: {
    id: string;
    /** `person`, or `organisation`, which nobody signs in to. */
    kind: string;
    name: string;
    /** As the user wrote it. */
    email: string;
    /** Lower case and NFC: what is unique. */
    emailKey: string;
    /** argon2id in PHC form; null when only a sign-in provider opens the account. */
    passwordHash: string | null;
    verifiedAt: number | null;
    disabledAt: number | null;
    createdAt: number;
    /** When the account ends; null for one that does not. */
    closesAt: number | null;
    /** Until when an instance is ending it. */
    closingLease: number | null;
  };
  /** A subject at an OpenID provider that opens an account. */
  identity: {
    issuer: string;
    subject: string;
    accountId: string;
    provider: string;
    email: string;
    createdAt: number;
  };
  session: {
    /** Shown in the list of sessions; opens nothing. */
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
    /** When whoever uses it last proved who they are. */
    provenAt: number;
  };
  /** A link in a mail: works once, until it expires. */
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
    expiresAt: number;
  };
  /** Failed tries that count against one key within a window. */
  throttle: {
    key: string;
    tries: number;
    windowEndsAt: number;
  };
  /** A sign-in with an OpenID provider under way. */
  sign_in: {
    /** SHA-256 of the cookie that binds it to the browser, base64url. */
    bindingHash: string;
    provider: string;
    state: string;
    nonce: string;
    codeVerifier: string;
    redirectUrl: string;
    cancelUrl: string;
    /** The account that the identity is to open from then on; null for a sign-in. */
    joinsId: string | null;
    expiresAt: number;
  };
  knownDevice: {
    accountId: string;
    /** Of the token in the browser's cookie. */
    tokenHash: string;
    lastUsedAt: number;
  };
}
