import { smallJpeg } from '../kit/picture.ts';
import type { Drive } from './drive.ts';
import { type World, addDrive } from './state.ts';

export const people = {
  mara: { id: '8e2b1f0a5c7d3e91', email: 'mara@outlook.example', name: 'Mara' },
  noor: { id: '5b1e6f0c-2f61-4a55-9a0e-7a3f3f0d9c11', email: 'noor@example.org', name: 'Noor' },
  otto: { id: '7c2d8a1e-9b34-4d0f-8c55-1e6a2b7f4d22', email: 'otto@example.org', name: 'Otto' },
} as const;

const GiB = 1024 ** 3;

/** Initial contents: own drives with texts and pictures, a shared folder, sites with libraries, two of one name. */
export function seed(world: World): void {
  const put = (drive: Drive, folder: Drive['root'], name: string, bytes: string | Uint8Array) =>
    drive.store(folder, name, world.contents.of(bytes), 'fail', 1_790_000_000_000).node;
  const { mara, noor, otto } = people;
  const own = (type: 'personal' | 'business', accounts: readonly string[]) =>
    addDrive(world, { type, name: 'OneDrive', accounts, total: 2000 * GiB });
  const drives = { mara: own('personal', [mara.id]), noor: own('business', [noor.id, otto.id]), otto: own('business', [otto.id, noor.id]) };

  for (const [name, drive] of Object.entries(drives)) {
    const documents = drive.addFolder(drive.root, 'Documents');
    put(drive, documents, 'Welcome.txt', `Hello ${name}, this is a simulated OneDrive.\n`);
    put(drive, documents, 'Plans 100% #1.md', '# Plans\n\n- read more\n');
    const pictures = drive.addFolder(drive.root, 'Pictures');
    for (const picture of ['harbour', 'hills', 'old town']) put(drive, pictures, `${picture}.jpg`, smallJpeg);
    drive.add(drive.root, 'Notebook', 'package', {});
  }
  const handbook = drives.otto.addFolder(drives.otto.root, 'Handbook');
  put(drives.otto, handbook, 'Rules.txt', 'Be kind.\n');
  drives.noor.add(drives.noor.root, 'Handbook of Otto', 'folder', { target: { driveId: drives.otto.id, node: handbook } });

  const library = (name: string, file: string, accounts: readonly string[] = [noor.id, otto.id]): Drive => {
    const drive = addDrive(world, { type: 'documentLibrary', name, accounts, total: 25_000 * GiB });
    put(drive, drive.root, file, `This is ${file}.\n`);
    return drive;
  };
  const site = (number: number, displayName: string, isFollowed: boolean, libraries: readonly Drive[]) => {
    const guid = (part: number) => `0000000${part}-0000-4000-8000-00000000000${number}`;
    world.sites.push({ id: `example.sharepoint.example,${guid(1)},${guid(2)}`, displayName, isFollowed, libraries });
  };
  site(1, 'Engineering', true, [library('Documents', 'Roadmap.txt'), library('Drawings', 'Bridge.txt')]);
  site(2, 'Marketing', false, [library('Documents', 'Slogans.txt')]);
  site(3, 'Marketing', false, [library('Documents', 'Old slogans.txt')]);
  site(4, 'Board', false, [library('Documents', 'Minutes.txt', [otto.id])]);
}
