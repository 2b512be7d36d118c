import { drawPicture } from '../picture.ts';
import type { Company, Space, State } from './state.ts';

export const mara = { id: '1001', email: 'mara@sheaf.example', name: 'Mara Lind' };
export const otto = { id: '1002', email: 'otto@sheaf.example', name: 'Otto Brandt' };

/** Two companies, one of which has not installed the application; Otto sees only the first. */
export function seed(state: State): { readonly company: Company; readonly project: Space } {
  const company = state.addCompany('Harbour Builders', [mara.email, otto.email]);
  state.addCompany('Not Connected Ltd', [mara.email], false);
  const project = state.addProject(company, 'Quay 7');
  state.addProject(company, 'Old lighthouse');
  const own = state.companySpaces.get(company.id);
  if (!own) throw new Error('the company has no documents');
  state.addFile(own.root, 'Handbook.txt', 'Wear a helmet.\n');
  const drawings = state.newNode('folder', project.root.space, project.root.id, 'Drawings');
  const photos = state.newNode('folder', project.root.space, project.root.id, 'Photos');
  state.addFile(project.root, 'Read me.txt', 'Hello Mara, this is a simulated Procore.\n');
  state.addFile(drawings, 'quay.txt', 'A long line.\n');
  state.addFile(photos, 'quay.png', drawPicture(96, 64, [240, 140, 40], [70, 50, 30]));
  return { company, project };
}
