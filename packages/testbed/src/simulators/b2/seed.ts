import { drawPicture } from '../picture.ts';
import { typeOf } from './names.ts';
import type { B2Contents, State } from './state.ts';

const files: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>> = {
  'mara-documents': {
    'Welcome.txt': 'These files lie in a simulated B2 account.\n',
    'Letters/To Noor.txt': 'Dear Noor,\n\nthe harbour is frozen.\n',
    'Letters/.bzEmpty': '',
  },
  'mara-pictures': {
    'Harbour/Morning.png': drawPicture(320, 200, [250, 214, 165], [92, 124, 250]),
    'Harbour/Evening.png': drawPicture(320, 200, [240, 101, 149], [52, 58, 64]),
  },
};

/** Fills the account with what `npm run dev` shows. */
export function seed(state: State, contents: B2Contents): void {
  for (const [name, held] of Object.entries(files)) {
    const bucket = state.bucketNamed(name) ?? state.createBucket(name);
    for (const [fileName, bytes] of Object.entries(held)) {
      const content = contents.of(bytes);
      const contentType = typeOf('b2/x-auto', fileName);
      const version = {
        fileId: state.newId(),
        fileName,
        action: 'upload' as const,
        content,
        contentSha1: content.hashes.sha1,
        contentType,
      };
      state.add(bucket, { ...version, fileInfo: {}, uploadTimestamp: state.now() });
    }
  }
}
