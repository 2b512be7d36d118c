import type { TestContext } from 'node:test';
import { type FolderEvents, folderEvents } from '@sheaf/contract';
import type { TestApp, Visitor } from '#/testing/app.ts';

/** A stream of events about folders, as a browser reads it. */
export interface EventStream {
  /** Address of every folder named by an event so far, in order; `missed` for an event that says so. */
  readonly heard: string[];
  /** Resolves once the stream has ended. */
  readonly ended: Promise<void>;
}

/** Opens a stream over HTTP, closed at the end of the test. The app listens from the first one on. */
export async function followFolders(t: TestContext, { app }: TestApp, user: Visitor, ...userLinkId: string[]): Promise<EventStream> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const leaving = new AbortController();
  t.after(() => leaving.abort());
  const query = new URLSearchParams(userLinkId.map((id) => ['userLinkId', id]));
  const response = await fetch(`http://127.0.0.1:${port}${folderEvents.path}?${query.toString()}`, {
    headers: { cookie: [...user.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    signal: leaving.signal,
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  const heard: string[] = [];
  return { heard, ended: read(response.body, heard).catch(() => undefined) };
}

async function read(body: ReadableStream<Uint8Array>, heard: string[]): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (event === 'missed') heard.push('missed');
      if (event !== 'folders') continue;
      const { changed, gone, all } = JSON.parse(data) as FolderEvents;
      heard.push(...changed, ...gone.map((uri) => `gone ${uri}`), ...all.map((id) => `all ${id}`));
    }
  }
}
