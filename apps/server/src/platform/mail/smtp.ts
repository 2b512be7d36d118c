import type { Transporter } from 'nodemailer';
import { PermanentFailure } from '#/platform/jobs/job.ts';
import type { Transport } from './mailer.ts';

/** Timeout in milliseconds for each step of a delivery: connection, greeting, silence. */
const timeout = 20_000;
/** nodemailer's codes of errors about the mail itself; others, such as a refused sign-in, may pass. */
const aboutMail = new Set(['EENVELOPE', 'EMESSAGE']);

/** RFC 5321, 4.2.1: a 5yz reply is permanent. */
const isPermanent = (error: unknown): error is Error & { readonly responseCode: number } =>
  error instanceof Error &&
  'code' in error &&
  aboutMail.has(String(error.code)) &&
  'responseCode' in error &&
  typeof error.responseCode === 'number' &&
  error.responseCode >= 500;

/** Sends through a mail server, e.g. `smtps://user:password@mail.example:465`. Loads the library with the first mail. */
export function createSmtp(url: string, from: string): Transport {
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
  let transporter: Promise<Transporter> | undefined;
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url, connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout }, { from });
  };
  return {
    async send(mail, id) {
      try {
        // A mail that is sent again, because the process died before it was noted as sent, has the same id: mail servers drop the second one.
        await (await (transporter ??= open())).sendMail({ ...mail, messageId: `<${id}@${domain}>` });
      } catch (error) {
        throw isPermanent(error) ? new PermanentFailure(`the mail server refused the mail with ${error.responseCode}`, error) : error;
      }
    },
    check: async () => void (await (await (transporter ??= open())).verify()),
    close() {
      void transporter?.then((opened) => opened.close());
    },
  };
}
