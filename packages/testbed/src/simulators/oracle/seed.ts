import { drawPicture } from '../picture.ts';
import { type State, contents } from './state.ts';

/** Fills the home folder with what `npm run dev` shows. */
export function seed(state: State): void {
  const plans = state.addFolder(state.home.id, 'Plans');
  state.addFolder(state.home.id, 'Empty');
  const shared = state.shareFolder('Shared by Noor');
  state.addFile(state.home.id, 'Welcome.txt', 'text/plain', contents.of('These files lie in a simulated Oracle Documents server.\n'));
  state.addFile(plans.id, 'Harbour.png', 'image/png', contents.of(drawPicture(320, 200, [250, 214, 165], [92, 124, 250])));
  state.addFile(shared.id, 'Notes.txt', 'text/plain', contents.of('Bring the long rope.\n'));
}
