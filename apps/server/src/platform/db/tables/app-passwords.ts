/** Passwords of programs, and public keys of SSH in their place. Times are epoch seconds. */
export interface AppPasswordTables {
  app_password: {
    id: string;
    accountId: string;
    name: string;
    username: string;
    /** SHA-256, base64url. A row with a public key has secrets too, which nobody knows. */
    passwordHash: string;
    accessKeyId: string;
    /** The secret key of S3, sealed by the vault: its signatures cannot be checked with a hash. */
    sealedKey: string;
    /** JSON list of linkUris; empty: everything. */
    folders: string;
    rights: 'read' | 'write';
    createdAt: number;
    expiresAt: number | null;
    lastUsedAt: number | null;
    lastUsedBy: string | null;
    /** Its kind, a space and its bytes in base64; null for a password. */
    publicKey: string | null;
  };
}
