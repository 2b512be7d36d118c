import { drawPicture } from '../picture.ts';
import type { State } from './state.ts';

export const [mara, noor, ida] = ['U0MARA', 'U0NOOR', 'U0IDA'] as const;

export const people = [
  { id: mara, name: 'mara', realName: 'Mara Lind', displayName: 'Mara' },
  { id: noor, name: 'noor', realName: 'Noor Haddad', displayName: '' },
  { id: ida, name: 'ida', realName: 'Ida Berg', displayName: 'Ida' },
];

/** Fills the workspace with what `npm run dev` shows. */
export function seed(state: State): void {
  const general = state.addConversation('public', [mara, noor, ida], 'general');
  const harbour = state.addConversation('private', [mara, noor], 'harbour-trip');
  const old = state.addConversation('public', [mara], 'old-project', true);
  const noorAndMara = state.addConversation('im', [mara, noor]);
  const three = state.addConversation('mpim', [mara, noor, ida], 'mpdm-mara--noor--ida-1');
  const put = (name: string, bytes: string | Uint8Array, channels: readonly string[], user: string = mara) =>
    state.addFile({ name, bytes, channels, user });
  put('Welcome.txt', 'These files lie in a simulated Slack workspace.\n', [general.id]);
  put('notes.txt', 'Twice the same name.\n', [general.id], noor);
  put('notes.txt', 'Slack does not mind.\n', [general.id]);
  put('Morning.png', drawPicture(320, 200, [250, 214, 165], [92, 124, 250]), [harbour.id]);
  put('Evening.png', drawPicture(320, 200, [240, 101, 149], [52, 58, 64]), [harbour.id, noorAndMara.id], noor);
  put('plan.md', '# Plan\n', [old.id, three.id]);
  put('draft.txt', 'Nobody else sees this.\n', []);
  state.addFile({ name: 'Budget', channels: [general.id], user: ida });
}
