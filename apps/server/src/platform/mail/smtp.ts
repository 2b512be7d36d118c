import type { Transporter } from 'nodemailer';
import type { Mailer } from './mailer.ts';

/** Timeout in milliseconds for each step of a delivery: connection, greeting, silence. */
const patience = 20_000;

/** Sends through a mail server, e.g. `smtps://user:password@mail.example:465`. Loads the library with the first mail. */
export function createSmtp(url: string, from: string): Mailer {
  let transporter: Promise<Transporter> | undefined;
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url, connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience }, { from });
  };
  return {
    async send(mail) {
      await (await (transporter ??= open())).sendMail(mail);
    },
    close() {
      void transporter?.then((opened) => opened.close());
    },
  };
}
