import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Transport } from './mailer.ts';

/**
 * Writes mails to files for the operator where no mail server is configured. Only the folder's owner may read them: they hold links that open
 * accounts. A mail that is sent again replaces its own file. The log names the file, never its content.
 */
export function createOutbox(folder: string, log: Logger): Transport {
  return {
    async send({ to, subject, text }, id) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${id}.txt`);
      // Outside the folder, so that its readers see whole mails only.
      const draft = `${folder}-${id}.part`;
      try {
        await writeFile(draft, `To: ${to}\nSubject: ${subject}\n\n${text}\n`, { mode: 0o600 });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      log.info({ file, subject }, 'no mail server is set up: the mail is in the outbox');
    },
    close: () => undefined,
  };
}
