import type { Account, Contents } from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { type BoxState, rootId } from './state.ts';

/** Initial contents: a few folders, texts and pictures. */
export function seed(state: BoxState, contents: Contents<'sha1'>, { name }: Account): void {
  const put = (folder: string, file: string, bytes: string | Uint8Array) => state.addFile(folder, file, contents.of(bytes), 1_790_000_000);
  put(rootId, 'Welcome.txt', `Hello ${name}, this is a simulated Box.\n`);
  const photos = state.makeFolder(rootId, 'Photos');
  for (const picture of ['harbour', 'hills', 'old town']) put(photos.id, `${picture}.jpg`, smallJpeg);
  const work = state.makeFolder(rootId, 'Work');
  put(state.makeFolder(work.id, '2026').id, 'Report.md', '# Report\n\n- all is well\n');
  put(work.id, 'Notes.txt', 'Call back on Monday.\n');
}
