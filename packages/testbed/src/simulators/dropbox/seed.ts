import { smallJpeg } from '../kit/picture.ts';
import type { Store } from './bytes.ts';
import type { People } from './people.ts';
import { segmentsOf } from './tree.ts';

/** Initial contents: a few folders, texts, pictures, and a cloud document. */
export function seed({ all, team }: People, contents: Store): void {
  const put = (tree: typeof team.tree, path: string, bytes: string | Uint8Array, exportAs?: string) =>
    tree.store(
      segmentsOf(path),
      { content: contents.of(bytes), clientModified: 1_790_000_000, ...(exportAs !== undefined && { exportAs }) },
      'add',
      true,
    );
  for (const { account, tree, home } of all) {
    const at = tree.told(home);
    put(tree, `${at}/Welcome.txt`, `Hello ${account.name}, this is a simulated Dropbox.\n`);
    put(tree, `${at}/Plans/2026.md`, '# Plans\n\n- read more\n');
    for (const name of ['harbour', 'hills', 'old town']) put(tree, `${at}/Photos/${name}.jpg`, smallJpeg);
    put(tree, `${at}/Plans/Ideas.paper`, '# Ideas\n', 'markdown');
  }
  put(team.tree, '/All hands/Agenda.txt', 'Monday, nine.\n');
  put(team.tree, '/Only Otto/Notes.txt', 'Mine.\n');
}
