import { drawPicture } from '../picture.ts';
import { type State, contents } from './state.ts';

/** Fills the drive with what a demonstration shows. */
export function seed({ root, add }: State): void {
  const pictures = add({ name: 'Pictures', kind: 'FOLDER', parents: [root.id] });
  const text = contents.of('These files lie in a simulated Cloud Drive.\n');
  add({ name: 'Welcome.txt', kind: 'FILE', parents: [root.id], content: text, contentType: 'text/plain' });
  const picture = contents.of(drawPicture(320, 200, [250, 214, 165], [92, 124, 250]));
  add({ name: 'Morning.png', kind: 'FILE', parents: [pictures.id], content: picture, contentType: 'image/png' });
}
