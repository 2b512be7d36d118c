/** Linking by authorization. */
export interface AuthorizationTables {
  /** A user who was sent to a provider and has not returned yet. */
  link_authorization: {
    /** SHA-256 of the state, base64url: reading the table is not enough to finish an authorization. */
    stateHash: string;
    accountId: string;
    sessionId: string;
    provider: string;
    /** The link that is being reauthorized. */
    userLinkId: string | null;
    redirectUrl: string | null;
    cancelUrl: string | null;
    /** 1 if the user continues to a form of Sheaf with the grant. */
    buildsRedirect: number;
    /** Code verifier and handoff token as JSON, sealed. */
    sealed: string;
    /** Epoch seconds. */
    expiresAt: number;
  };
  /** A grant that waits until the user has chosen what to link with it. */
  parked_grant: {
    /** SHA-256 of the stateId, base64url. */
    stateIdHash: string;
    accountId: string;
    sessionId: string;
    provider: string;
    /** Connection info of the account that granted, as JSON. */
    info: string;
    sealed: string;
    /** Epoch seconds. */
    expiresAt: number;
  };
  /** One row per link made by authorization; the grant itself is a secret of the link. */
  link_grant: {
    linkId: string;
    /** Digest of application and account: shared by all links whose grants a provider revokes together. */
    owner: string;
    /** The instance that is renewing the grant, if any. */
    renewer: string | null;
    /** End of the renewal's lease in epoch milliseconds; 0 when nobody renews. */
    renewsUntil: number;
  };
}
