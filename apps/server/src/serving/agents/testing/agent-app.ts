import type { TestContext } from 'node:test';
import { linkUriOf, parseLinkUri } from '@sheaf/contract';
import { freePort } from '@sheaf/testbed';
import { type LinkApp, addSftp, linkApp } from '#/testing/links.ts';

type Options = NonNullable<Parameters<typeof linkApp>[1]>;

export interface AgentApp extends LinkApp {
  readonly url: string;
  /** The linkUri of an item of the link "NAS". */
  uri(path: string): string;
}

/** Sheaf with a link "NAS" on a real port, which is a part of the address that tokens are for. */
export async function agentApp(t: TestContext, { settings = {}, ...options }: Options = {}): Promise<AgentApp> {
  const port = await freePort();
  const app = await linkApp(t, { ...options, settings: { SHEAF_PORT: String(port), ...settings } });
  const url = await app.app.listen({ host: '127.0.0.1', port });
  const { linkUri } = await addSftp(app.user, 'NAS');
  const userLinkId = parseLinkUri(linkUri)?.userLinkId ?? '';
  app.source.put('/Photos/a.txt', 'hello');
  app.source.put('/Photos/größe.txt', 'ä'.repeat(40_000));
  app.source.put('/Photos/picture.bin', Buffer.from([0, 255, 1, 2]));
  app.source.put('/Private/secret.txt', 'not for agents');
  app.source.put('/Target/x.txt', 'x');
  return { ...app, url, uri: (path) => linkUriOf(userLinkId, path) };
}
