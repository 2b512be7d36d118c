import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Mailer } from './mailer.ts';

/**
 * Writes mails to files for the operator where no mail server is configured. Only the folder's owner may read them: they hold links that open
 * accounts. The log names the file, never its content.
 */
export function createOutbox(folder: string, log: Logger): Mailer {
  let count = 0;
  return {
    async send({ to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      count += 1;
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
      const file = join(folder, `${time}-${process.pid}-${String(count).padStart(6, '0')}.txt`);
      try {
        await writeFile(file, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      log.info({ file, subject }, 'no mail server is set up: the mail is in the outbox');
    },
    close: () => undefined,
  };
}
