/** Linking by authorization. */
export interface AuthorizationTables {
  /** A user who was sent to a provider and has not come back yet. */
  link_authorization: {
    /** SHA-256 of the state, base64url: whoever reads the table can finish nothing. */
    stateHash: string;
    accountId: string;
    sessionId: string;
    provider: string;
    /** The link that is authorized again. */
    userLinkId: string | null;
    redirectUrl: string | null;
    cancelUrl: string | null;
    /** 1 where the user goes on to a form of Sheaf with the grant. */
    buildsRedirect: number;
    /** Code verifier and handoff token as JSON, sealed. */
    sealed: string;
    /** Epoch seconds. */
    expiresAt: number;
  };
  /** A grant that waits until the user has said what to link with it. */
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
  /** Beside each link made by authorization; the grant itself is a secret of the link. */
  link_grant: {
    linkId: string;
    /** The same for all links whose grants a provider takes back together: digest of application and account. */
    owner: string;
    /** The instance that is renewing the grant. */
    renewer: string | null;
    /** Epoch milliseconds at which another may take over; 0 when nobody renews. */
    renewsUntil: number;
  };
}
