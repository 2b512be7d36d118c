import type { TestContext } from 'node:test';
import { type AppPasswordRights, createAppPassword } from '@sheaf/contract';
import type { TestApp, User } from '#/testing/app.ts';
import { addSftp, linkApp } from '#/testing/links.ts';
import { s3Client } from './client.ts';

/** A program with a new app password. */
export async function program(user: User, url: string, folders: readonly string[] = [], rights: AppPasswordRights = 'write') {
  const made = await user.ask(createAppPassword, { name: 'Test', linkUri: [...folders], rights });
  return { ...made, ...s3Client(url, made) };
}
async function listening(t: TestContext, { app }: Pick<TestApp, 'app'>): Promise<string> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  return url;
}

/** An app that listens, with a link "My NAS" to a source in memory and a program of its owner. */
export async function nas(t: TestContext, options: Parameters<typeof linkApp>[1] = {}) {
  const app = await linkApp(t, options);
  const url = await listening(t, app);
  const { userLinkId } = await addSftp(app.user, 'My NAS');
  return { ...app, url, userLinkId, client: await program(app.user, url) };
}
