import { DatabaseInUse, NoDatabase } from '#/platform/db/copies/snapshot.ts';
import { NotEmpty } from '#/platform/db/copies/write.ts';
import { BadBackup } from '#/secrets/backups/damage.ts';

/** What went wrong, as a sentence for the person at the command line. */
export function sentenceOf(error: unknown): string {
  if (error instanceof BadBackup) return error.message;
  if (error instanceof NotEmpty) return `There is data already, which is never replaced: ${error.message}.`;
  if (error instanceof NoDatabase) return `There is no embedded database: ${error.message} does not exist.`;
  if (error instanceof DatabaseInUse) return 'Another process uses the database. Please stop Sheaf first.';
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
