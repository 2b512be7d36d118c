import { healthTexts } from '@sheaf/contract';
import type { Config } from '#/platform/config/config.ts';
import { readFigures } from '#/platform/db/copies/figures.ts';
import { createSmtp } from '#/platform/mail/smtp.ts';
import { createBackups } from '#/secrets/backups/service.ts';
import { presentKeys } from '#/secrets/master-key.ts';
import { checks, runChecks } from '#/serving/health/checks.ts';
import { probeKeyOf } from '#/serving/health/probe-routes.ts';
import { describe } from '#/serving/settings/service.ts';

/** Runs all checks of the page Health from the command line, tells what to do, and gives the number of problems. Changes nothing. */
export async function examine(config: Config, say: (line: string) => void): Promise<number> {
  const [key] = await presentKeys(config);
  if (key === undefined) {
    say('Sheaf has not run with these settings yet: there is no key.');
    return 1;
  }
  const smtp = config.smtpUrl === '' ? undefined : createSmtp(config.smtpUrl, config.mailFrom);
  const untold = new Map<string, unknown>();
  const results = await runChecks(
    checks,
    {
      config,
      key: probeKeyOf(key),
      now: () => Math.floor(Date.now() / 1000),
      startedAt: undefined,
      ping: async () => void (await readFigures(config)),
      countFailingJobs: async () => (await readFigures(config)).failingJobs,
      lastBackupAt: async () => (await createBackups(config, key).list())[0]?.madeAt,
      checkMail: smtp?.check,
    },
    (error, title) => untold.set(title, error),
  );
  smtp?.close();
  let problems = 0;
  for (const { title, findings } of results) {
    const error = untold.get(title);
    if (error !== undefined) {
      problems += 1;
      say(`?  ${title}: could not be checked (${error instanceof Error ? error.message : 'no reason was given'}).`);
    } else if (findings.length === 0) say(`ok ${title}`);
    for (const { problem, detail } of findings) {
      problems += 1;
      say(`!  ${title}: ${healthTexts[problem]}${detail === undefined ? '' : ` (${detail})`}`);
    }
  }
  const advised = describe(config).filter(({ advice }) => advice !== undefined);
  if (advised.length > 0) say(`Settings to look at, see the page Settings: ${advised.map(({ name }) => name).join(', ')}`);
  for (const name of config.unknown) {
    problems += 1;
    say(`!  ${name} looks like a setting, but is none.`);
  }
  return problems;
}
