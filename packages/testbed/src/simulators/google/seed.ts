import type { Account, Contents } from '../kit/index.ts';
import { smallJpeg } from '../kit/picture.ts';
import { type DriveNode, type DriveState, folderType, newId, shortcutType } from './state.ts';

type Names = 'md5' | 'sha1';

/** Shorthands to add items to a Drive. */
export function createPutter(state: DriveState, contents: Contents<Names>) {
  const at = (account: Account, parent: DriveNode | undefined) => ({ parent: parent?.id ?? state.rootOf(account), owner: account.id });
  return {
    folder: (account: Account, name: string, parent?: DriveNode): DriveNode =>
      state.make({ name, mimeType: folderType, ...at(account, parent) }),
    file(account: Account, name: string, bytes: string | Uint8Array, parent?: DriveNode, mimeType = 'text/plain'): DriveNode {
      return state.make({
        name,
        mimeType,
        ...at(account, parent),
        revisions: [{ id: newId(), content: contents.of(bytes), at: Date.now() }],
      });
    },
    /** `kind` as in `application/vnd.google-apps.document`. */
    document(account: Account, name: string, kind: string, bytes: string | Uint8Array, parent?: DriveNode): DriveNode {
      return state.make({ name, mimeType: `application/vnd.google-apps.${kind}`, ...at(account, parent), document: contents.of(bytes) });
    },
    shortcut: (account: Account, name: string, target: string, parent?: DriveNode): DriveNode =>
      state.make({ name, mimeType: shortcutType, ...at(account, parent), target }),
    drive: (name: string, members: readonly Account[]): DriveNode =>
      state.addDrive(
        name,
        members.map(({ id }) => id),
      ),
  };
}
export type Putter = ReturnType<typeof createPutter>;

/** Adds some files of every kind. */
export function seedDrive({ folder, file, document, shortcut, drive }: Putter, account: Account): void {
  const photos = folder(account, 'Photos');
  file(account, 'Evening.jpg', smallJpeg, photos, 'image/jpeg');
  file(account, 'Hill.jpg', smallJpeg, photos, 'image/jpeg');
  const plans = folder(account, 'Plans');
  file(account, 'notes.txt', 'Paint the fence. Call the plumber.\n', plans);
  document(account, 'Summer trip', 'document', 'Three weeks by the sea, then home by train.', plans);
  document(account, 'Budget', 'spreadsheet', 'rent,900\nfood,400\n', plans);
  file(account, 'readme.txt', 'Everything in this Drive was made up.\n');
  shortcut(account, 'Favourite picture', file(account, 'Best.jpg', smallJpeg, photos, 'image/jpeg').id);
  const team = drive('Garden club', [account]);
  file(account, 'Rota.txt', 'Monday: watering. Tuesday: weeding.\n', team);
}
