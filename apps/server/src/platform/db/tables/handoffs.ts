/** Command-line clients and their requests to the user. Times are epoch seconds, booleans are 0 or 1. */
export interface HandoffTables {
  /** Created by the user on the profile page; its holder can get tokens. */
  auth_code: {
    /** Shown in the list of codes; grants nothing. */
    id: string;
    /** SHA-256 of the code, base64url. */
    codeHash: string;
    accountId: string;
    name: string;
    createdAt: number;
  };
  /** Sent by a command-line client with each call; deleted with its code. */
  auth_token: {
    id: string;
    /** SHA-256 of the token, base64url. */
    tokenHash: string;
    codeId: string;
    accountId: string;
    userAgent: string;
    address: string;
    createdAt: number;
    lastSeenAt: number;
    expiresAt: number;
  };
  /** A program that waits for its user to choose a folder. */
  handoff: {
    /** SHA-256 of the process token, base64url. */
    tokenHash: string;
    accountId: string;
    action: string;
    name: string;
    state: string;
    destinationPath: string | null;
    linkUri: string | null;
    expiresAt: number;
  };
}
