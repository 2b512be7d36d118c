import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@sheaf/testbed';
import type { TestApp } from './app.ts';

/** The mails in the app's outbox to one address, oldest first, once nothing is under way any more. */
export async function mailsTo({ services, config }: TestApp, address: string): Promise<string[]> {
  await services.background.idle();
  // Another instance may have taken the job, or is about to. One that has failed waits for its next try.
  const pending = () =>
    services.db
      .selectFrom('job')
      .select('id')
      .where('kind', '=', 'mail.send')
      .where((by) => by.or([by('state', '=', 'running'), by.and([by('state', '=', 'ready'), by('attempts', '=', 0)])]))
      .executeTakeFirst();
  await eventually(async () => (await pending()) === undefined, 'the mails under way are delivered');
  const folder = join(config.dataDir, 'outbox');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const mails = await Promise.all(names.toSorted().map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => mail.startsWith(`To: ${address}\n`));
}

/** The token in the newest mail to that address whose link leads to `page`. */
export async function mailedToken(app: TestApp, address: string, page: string): Promise<string> {
  const mail = (await mailsTo(app, address)).findLast((text) => text.includes(page));
  const token = mail?.split(`${page}#token=`)[1]?.split(/\s/)[0];
  assert.ok(token, `no mail to ${address} leads to ${page}`);
  return token;
}

/** The newest mail to that address that matches: another one may still have been under way when the request for it came. */
export async function mailAbout(app: TestApp, address: string, pattern: RegExp): Promise<string> {
  const mails = await mailsTo(app, address);
  const mail = mails.findLast((text) => pattern.test(text));
  assert.ok(mail !== undefined, `no mail to ${address} matches ${String(pattern)}: ${JSON.stringify(mails.map(subjectOf))}`);
  return mail;
}

/** Waits for the mails to that address that are under way; the function it returns gives the subjects of those since the last look. */
export async function newSubjects(app: TestApp, address: string): Promise<() => Promise<string[]>> {
  let read = (await mailsTo(app, address)).length;
  return async () => {
    const mails = (await mailsTo(app, address)).slice(read);
    read += mails.length;
    return mails.map(subjectOf);
  };
}

const subjectOf = (mail: string): string => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '';
