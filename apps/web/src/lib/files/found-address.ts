import { type FoundItem, browseUrlOf } from '@sheaf/contract';

type Place = Pick<FoundItem, 'folder'>;
/** The link of an item; with a membership it is an organisation's. */
export interface PlaceLink {
  readonly name: string;
  readonly memberOid?: string;
}

const withNames = ({ name, memberOid }: PlaceLink, names: readonly string[]): string => {
  const [path = '', query] = browseUrlOf({ name, gallery: false, ...(memberOid !== undefined && { orgMembershipOid: memberOid }) }).split(
    '?',
  );
  return [path, ...names.map(encodeURIComponent)].join('/') + (query === undefined ? '' : `?${query}`);
};

const namesOf = ({ folder }: Place): string[] => folder.split('/').filter((name) => name !== '');

/** The page of a found item. */
export const itemHref = (link: PlaceLink, item: Place & Pick<FoundItem, 'name'>): string => withNames(link, [...namesOf(item), item.name]);

/** The page of the folder in which it is. */
export const folderHref = (link: PlaceLink, item: Place): string => withNames(link, namesOf(item));

/** The folder as text. */
export const folderText = (item: Place): string => namesOf(item).join(' / ');
