import { type GivenSpaceRole, type Space, type SpaceRole } from '@sheaf/contract';
import { rowText } from '#/lib/http/row-text.ts';

/** Name of a role. */
export const roleNames: Readonly<Record<SpaceRole, string>> = {
  viewer: 'Viewer',
  editor: 'Editor',
  manager: 'Manager',
  owner: 'Owner',
};

/** What a role may do. */
export const roleSentences: Readonly<Record<SpaceRole, string>> = {
  viewer: 'You will be able to view and download its files.',
  editor: 'You will be able to view and change its files.',
  manager: 'You will be able to change its files, and to invite people.',
  owner: 'It is yours.',
};

export const roleChoices: readonly { value: GivenSpaceRole; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'manager', label: 'Manager' },
];

export const isGivenRole = (value: string): value is GivenSpaceRole => roleChoices.some((choice) => choice.value === value);

/** "Just you", "2 members". */
export const memberWords = (count: number): string => (count === 1 ? 'Just you' : `${count} members`);

/** Why the files of a Space are out of reach; undefined when they are not. */
export function troubleOf({ state, role, name, ownerName }: Space): string | undefined {
  if (state === 'ok') return undefined;
  if (role === 'owner') {
    return state === 'unlinked'
      ? 'You have unlinked its storage. The files are still there, but nobody can reach them through Sheaf.'
      : 'Your subscription to Spaces has ended. The files are kept where they are and can be reached again when it is renewed.';
  }
  return rowText(state === 'unlinked' ? 'SPACE_UNLINKED' : 'SPACE_EXPIRED', { owner: ownerName, name });
}

/** Location of a Space's files, as far as the user may know it; without its link only the folder's path. */
export function placeOf({ destinationPath, provider, ownerName }: Space): string {
  if (destinationPath === undefined) return `${provider} of ${ownerName}`;
  return destinationPath === '' || destinationPath.startsWith('/') ? provider + destinationPath : destinationPath;
}
