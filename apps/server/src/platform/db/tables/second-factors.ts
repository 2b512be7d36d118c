/** Second factors and passkeys. Times are epoch seconds, booleans are 0 or 1. */
export interface SecondFactorTables {
  /** The secret of an authenticator app. */
  totp: {
    accountId: string;
    /** Sealed by the vault. */
    sealed: string;
    /** Null until one of its codes is confirmed: it is inactive before. */
    confirmedAt: number | null;
    /** The newest 30-second period whose code was used: no code works twice. */
    lastStep: number;
  };
  passkey: {
    /** Shown in the list; grants nothing. */
    id: string;
    accountId: string;
    /** base64url, as in the browser. */
    credentialId: string;
    /** COSE key, base64url. */
    publicKey: string;
    counter: number;
    /** JSON list, a hint for the browser. */
    transports: string;
    name: string;
    /** Whether it is discoverable and verifies the user: then it signs in alone. */
    signsIn: number;
    createdAt: number;
    lastUsedAt: number | null;
  };
  recovery_code: {
    accountId: string;
    /** SHA-256, base64url; the row is deleted when the code is used. */
    codeHash: string;
  };
  /** A challenge for a passkey; each counts once. */
  passkey_challenge: {
    /** SHA-256, base64url. */
    challengeHash: string;
    /** `add`, `signIn`, `factor` or `prove`. */
    purpose: string;
    /** Null for sign-in with a passkey alone, where the account is not known yet. */
    accountId: string | null;
    expiresAt: number;
  };
  /** A sign-in that waits for its second factor. */
  sign_in_ticket: {
    tokenHash: string;
    /** `factor` or `reopen`. */
    purpose: string;
    accountId: string;
    /** Hash of the password at the first step: a new password invalidates the ticket. */
    proof: string;
    expiresAt: number;
  };
}
