import { drawPicture } from '../picture.ts';
import type { Node, State } from './state.ts';

export const mara = { id: 'MARA01', email: 'mara@sheaf.example', name: 'Mara Lind' };
export const otto = { id: 'OTTO01', email: 'otto@sheaf.example', name: 'Otto Brandt' };

/** A construction company's hub with two projects, and a team's hub with one; Otto sees the team's only. */
export function seed(state: State): { readonly construction: Node; readonly team: Node } {
  const building = state.addHub('b.6b1c0f52-0000-4000-8000-harbourworks0', 'Harbour Works', [mara.email]);
  const quay = state.addProject(building, 'Quay 7', ['Project Files', 'Plans']);
  state.addProject(building, 'Old lighthouse', ['Project Files'], 'wip.dm.emea');
  const team = state.addHub('a.YnVzaW5lc3M6c2hlYWY', 'Sheaf Team', [mara.email, otto.email]);
  const bench = state.addProject(team, 'Bench', ['Bench']);
  const [files] = quay.tops;
  const [root] = bench.tops;
  if (!files || !root) throw new Error('a project has no folder');
  const pictures = state.newNode('folders', quay.project, files.id, 'Pictures');
  state.addFile(files, 'Read me.txt', 'Hello Mara, this is a simulated Autodesk.\n');
  state.addFile(pictures, 'quay.png', drawPicture(96, 64, [56, 132, 200], [30, 60, 90]));
  state.addFile(root, 'bench.txt', 'Four legs.\n');
  return { construction: files, team: root };
}
