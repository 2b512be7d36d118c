/** Times are epoch seconds. */
export interface PeopleTables {
  /** An account that operates this installation, besides those whose addresses the settings name. */
  operator: {
    accountId: string;
    since: number;
    /** The sign-in provider that says so, at each sign-in anew; null where a person has made the account an operator. */
    givenBy: string | null;
  };
  /** An invitation to create an account. */
  signUpInvitation: {
    id: string;
    /** SHA-256 of the token in the link, base64url. */
    tokenHash: string;
    /** The invited address as it was typed; null for a link that anybody may use. */
    email: string | null;
    /** Same form as an account's. */
    emailKey: string | null;
    /** 1 if only a mail to the address has carried the token, so that whoever has it reads mail there. */
    isMailed: number;
    /** Account id; the account may no longer exist. */
    invitedBy: string;
    createdAt: number;
    expiresAt: number;
  };
  /** What operators did to people and to the installation. The database refuses to change or delete rows. */
  operatorEvent: {
    /** Sorts by creation. */
    id: string;
    at: number;
    actorId: string;
    /** Name and address of the operator at that time. */
    actor: string;
    action: string;
    /** Id of the account concerned; null for the installation. */
    subjectId: string | null;
    /** Address of the person, or what else it concerns. */
    subject: string;
  };
}
