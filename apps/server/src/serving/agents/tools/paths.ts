import { createWholeBody, joinPath, nameOf, parentOf } from '@sheaf/connectors';
import { appError, isSegment, linkUriOf } from '@sheaf/contract';
import { Type } from 'typebox';
import type { OpenFile } from '#/files/bodies/files.ts';
import type { OpenItem } from '#/files/items/open-item.ts';
import type { Place, Window } from '#/serving/programs/windows.ts';

export const longestPath = 8192;
/** A path as agents write it: the name of a link, then names of folders. */
export const Path = (description: string) => Type.String({ minLength: 1, maxLength: longestPath, description });

/** A place that an agent names. */
export interface Named {
  readonly place: Place;
  /** Path in the link. */
  readonly path: string;
}

/** What a path names; undefined for the root, which holds the links. Throws ITEM_NOT_FOUND for a link that the agent does not see, and for `..`. */
export async function named(window: Window, text: string): Promise<Named | undefined> {
  const [linkName, ...names] = text.split('/').filter((segment) => segment !== '');
  if (linkName === undefined) return undefined;
  const place = (await window.places()).find(({ name }) => name === linkName);
  if (!place) throw appError('ITEM_NOT_FOUND', { name: linkName });
  const strange = names.find((name) => !isSegment(name));
  if (strange !== undefined) throw appError('ITEM_NOT_FOUND', { name: strange });
  return { place, path: names.reduce(joinPath, '/') };
}

/** As `named`, and opened. Throws ITEM_NOT_FOUND outside of the agent's folders. */
export async function opened(window: Window, text: string): Promise<Named & { readonly item: OpenItem }> {
  const found = await named(window, text);
  if (!found) throw appError('ITEM_NOT_FOUND', { name: '/' });
  return { ...found, item: await window.open(found.place.userLinkId, found.path) };
}

/** A folder and a new name in it. */
export async function parentOfNew(
  window: Window,
  text: string,
): Promise<Named & { readonly parentLinkUri: string; readonly name: string }> {
  const found = await named(window, text);
  if (!found || found.path === '/') throw appError('ITEM_NOT_FOUND', { name: text });
  const parent = await window.open(found.place.userLinkId, parentOf(found.path));
  return { ...found, parentLinkUri: linkUriOf(parent.userLinkId, parent.path), name: nameOf(found.path) };
}

/** The path as agents write it. */
export const shown = ({ place, path }: Named): string => (path === '/' ? `/${place.name}` : `/${place.name}${path}`);

/** The page of the web app that shows an item. */
export const pageOf = (publicUrl: string, { place, path }: Named): string => {
  const names = [place.name, ...path.split('/').filter((name) => name !== '')];
  return `${publicUrl}/browse/${names.map(encodeURIComponent).join('/')}`;
};

/** At most `most` bytes of a file from `offset` on. */
export async function bytesAt(
  file: OpenFile,
  offset: number,
  most: number,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; size?: number }> {
  const known = await file.stat(signal);
  const { size } = known;
  if (size !== undefined && offset >= size) return { bytes: Buffer.alloc(0), size };
  const end = size === undefined ? offset + most : Math.min(size, offset + most);
  const body = await file.read(signal, { range: { start: offset, end }, known });
  const whole = createWholeBody(most);
  await body.drain((piece) => {
    whole.add(piece);
    return undefined;
  });
  return { bytes: whole.bytes(), ...(size !== undefined && { size }) };
}
