import type { Platform } from '#/platform/compose.ts';
import { createFolderNews } from './folder-news.ts';
import { createMounts } from './mounts.ts';
import { createLiveStreams } from './service.ts';
import { createMountStore } from './store.ts';
import { newsOf, payloadOf } from './wire.ts';

interface Deps {
  readonly mayOpen: (userId: string, userLinkId: string) => Promise<boolean>;
}

/** Builds what tells open windows of changed folders, on this instance and, with several, on all. */
export function composeLive({ db, newId, isAlone, background, notifyFolders, warn }: Platform, { mayOpen }: Deps) {
  const self = newId();
  const news = createFolderNews({
    ...(!isAlone && {
      publish: (all) =>
        background.start('tell other instances of changed folders', () => notifyFolders(all.map((one) => payloadOf(one, self)))),
    }),
  });
  return {
    news,
    mounts: createMounts(createMountStore(db)),
    streams: createLiveStreams({ news, mayOpen, onTrouble: warn('an event about a folder could not be sent') }),
    /** What is heard from other instances. */
    heard: {
      onFolders(payload: string): void {
        const heard = newsOf(payload, self);
        if (heard) news.receive(heard);
      },
      onFoldersMissed: (): void => news.missed(),
    },
  };
}
