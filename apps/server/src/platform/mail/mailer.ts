/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mails; the port for SMTP and the outbox. Rejects when the mail could not be handed over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}
