/** What is asked after the password, or in its place. Times are epoch seconds, truths are 0 or 1. */
export interface SecondFactorTables {
  /** The secret of an authenticator app. */
  totp: {
    accountId: string;
    /** Sealed by the vault. */
    sealed: string;
    /** Null until a code of it has come back: it does not count before. */
    confirmedAt: number | null;
    /** The newest period of 30 s of which a code was taken: none is taken twice. */
    lastStep: number;
  };
  passkey: {
    /** Shown in the list; signs nobody in. */
    id: string;
    accountId: string;
    /** base64url, as in the browser. */
    credentialId: string;
    /** COSE key, base64url. */
    publicKey: string;
    counter: number;
    /** JSON list, for the browser to find it again. */
    transports: string;
    name: string;
    /** Whether it is found without a name and asks who holds it: then it signs in alone. */
    signsIn: number;
    createdAt: number;
    lastUsedAt: number | null;
  };
  recovery_code: {
    accountId: string;
    /** SHA-256, base64url; the row goes when the code is used. */
    codeHash: string;
  };
  /** What a passkey is to sign; each counts once. */
  passkey_challenge: {
    /** SHA-256, base64url. */
    challengeHash: string;
    /** `add`, `signIn`, `factor` or `prove`. */
    purpose: string;
    /** Null for signing in, where nobody knows yet whose it is. */
    accountId: string | null;
    expiresAt: number;
  };
  /** A sign-in with one step to go. */
  sign_in_ticket: {
    tokenHash: string;
    /** `factor` or `reopen`. */
    purpose: string;
    accountId: string;
    /** Hash of what was proven before: another password makes the ticket worthless. */
    proof: string;
    expiresAt: number;
  };
}
