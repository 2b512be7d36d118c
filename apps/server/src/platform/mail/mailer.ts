/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Queues mails. */
export interface Mailer {
  /** Resolves when the mail is stored; a job delivers it and retries. While a mail with this key is stored, it is not queued again. */
  send(mail: Mail, key?: string): Promise<void>;
}

/** Delivers mails; the port for SMTP and the outbox. */
export interface Transport {
  /** Rejects when the mail could not be delivered, with PermanentFailure when a retry would not help. The id is the same in each attempt. */
  send(mail: Mail, id: string): Promise<void>;
  /** Connects and signs in; rejects with what the server said. Absent where there is no server. */
  readonly check?: () => Promise<void>;
  close(): void;
}
