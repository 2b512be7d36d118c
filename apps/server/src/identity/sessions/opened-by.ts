/** The sign-in provider that opens a session. */
export interface OpenedBy {
  readonly provider: string;
  /** Its id of its own session of that browser. */
  readonly sid: string | undefined;
}

/** Sessions that a provider ends: by the account, by its id of its session, or by both. */
export interface EndedThere {
  readonly provider: string;
  readonly accountId?: string | undefined;
  readonly sid?: string | undefined;
  /** Epoch seconds: sessions opened later go on. */
  readonly before: number;
}
