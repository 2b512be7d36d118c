import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Proxy } from '@sheaf/testbed';
import type { Storage } from '../fixtures/storage.ts';
import type { Role, Target } from './look.ts';
import type { Person } from './person.ts';
import type { Tab } from './tab.ts';

const named =
  (role: Role) =>
  (name: string, within?: Target): Target => ({ role, name, ...(within && { within }) });
const [link, button, row] = [named('link'), named('button'), named('row')];
const [entry, dialog] = [named('menuitem'), named('dialog')];
const field = (begin: string): Target => ({ role: 'textbox', begin });
const anyOf = (role: Role): Target => ({ role });
const text = (words: string, within?: Target): Target => ({ role: 'anything', text: words, ...(within && { within }) });

/** Everything that the steps of a walk use. */
export interface Way {
  readonly person: Person;
  readonly tab: Tab;
  readonly storage: Storage;
  /** Proxy between Sheaf and the storage. */
  readonly line: Proxy;
  /** Local folder with files to upload. */
  readonly desk: string;
  /** Saves a screenshot of the page in both widths. */
  readonly picture: (name: string) => Promise<void>;
}

async function signUp({ person }: Way): Promise<void> {
  await person.open('/');
  await person.click(link('Create an account'));
  await person.click(link('Email'));
  await person.fill(field('Name'), 'Mara Halm');
  await person.fill(field('E-mail address'), 'mara@halm.example');
  await person.fill(field('Password'), 'correct horse battery');
  await person.click(button('Create account'));
  await person.at('/account/mysheaf');
  await person.see(button('Account: Mara Halm'));
}

async function linkStorage({ person, storage, line }: Way): Promise<void> {
  await person.click(link('Link storage'));
  await person.click({ role: 'link', begin: 'SFTP', within: anyOf('main') });
  await person.fill(field('Name'), 'Server');
  await person.fill(field('Host'), `127.0.0.1:${line.port}`);
  await person.click({ role: 'button', begin: 'Advanced' });
  await person.fill(field('Start path'), storage.path);
  await person.click(link('Login with password'));
  await person.fill(field('User'), storage.server.username);
  await person.fill(field('Password'), storage.server.password);
  await person.click(button('Link'));
  await person.at('/browse/Server');
}

async function browse({ person, picture }: Way): Promise<void> {
  await person.see(row('Album'));
  await person.see(row('letter.txt'), ({ text: shown }) => shown.includes('11 bytes') && /(1 Mar|Mar 1,) 2026/.test(shown));
  await picture('folder');
  await person.doubleClick(row('Album'));
  await person.at('/browse/Server/Album');
  await person.see(row('dusk.png'));
  await person.click(link('Server', { role: 'navigation', name: 'Breadcrumb' }));
  await person.at('/browse/Server');
}

async function useMenus({ person }: Way): Promise<void> {
  await person.click(row('letter.txt'), 'right');
  await person.see({ role: 'menu', name: 'Menu of letter.txt' });
  await person.see(row('letter.txt'), ({ attributes }) => attributes['aria-selected'] === 'true');
  await person.press('Escape');
  await person.missing(anyOf('menu'));
  await person.see(anyOf('grid'), ({ isFocused }) => isFocused);
  await person.press('Home');
  await person.press('Shift+F10');
  await person.see({ role: 'menu', name: 'Menu of Album' });
  await person.see(anyOf('menuitem'), ({ isFocused, text: shown }) => isFocused && shown.startsWith('Open'));
  await person.press('ArrowDown');
  await person.see(anyOf('menuitem'), ({ isFocused, text: shown }) => isFocused && shown.startsWith('Open in new tab'));
  await person.press('ArrowUp');
  await person.press('Enter');
  await person.see(row('dusk.png'));
  await person.click(link('Server', { role: 'navigation', name: 'Breadcrumb' }));
  await person.see(row('letter.txt'));
}

async function dragOntoFolder({ person, storage }: Way): Promise<void> {
  await person.drag(text('moved.txt', row('moved.txt')), row('Album'));
  await person.see(text('Move to Album'));
  await person.see(row('Album'), ({ attributes }) => attributes['data-drop'] === 'true');
  await person.drop();
  await person.see(text('Moved moved.txt to Album.'));
  await person.missing(row('moved.txt'));
  assert.deepEqual(await storage.names('Album'), ['dusk.png', 'moved.txt']);
}

async function copyAndPaste({ person, storage }: Way): Promise<void> {
  await person.click(row('letter.txt'));
  await person.press('Control+c');
  await person.doubleClick(row('Album'));
  await person.see(row('dusk.png'));
  await person.press('Control+v');
  await person.see(row('letter.txt'));
  await person.see(text('Copied letter.txt to Album.'));
  assert.equal(await storage.text('Album/letter.txt'), 'Dear reader');
}

async function upload({ person, tab, storage, line, desk }: Way): Promise<void> {
  const film = join(desk, 'film.bin');
  await writeFile(film, Buffer.alloc(24 << 20, 'x'));
  line.hangAfterUp(line.bytesUp() + (12 << 20));
  await tab.chooseFiles('input[aria-label="Files to upload"]', [film]);
  await person.see({ role: 'progressbar', name: 'film.bin' }, ({ attributes }) => Number(attributes['aria-valuenow']) > 10);
  await person.see({ role: 'progressbar', name: 'film.bin' }, ({ attributes }) => Number(attributes['aria-valuenow']) < 100);
  line.resume();
  await person.see(row('film.bin'), ({ text: shown }) => shown.includes('MB'));
  await person.missing({ role: 'progressbar', name: 'film.bin' });
  assert.equal((await storage.text('Album/film.bin')).length, 24 << 20);
}

async function preview({ person, picture }: Way): Promise<void> {
  await person.doubleClick(row('dusk.png'));
  await person.see(dialog('dusk.png'));
  await person.see({ role: 'image', name: 'dusk.png' }, ({ isDrawn, width }) => isDrawn && width > 200);
  await picture('picture');
  await person.press('Escape');
  await person.missing(dialog('dusk.png'));
  await person.see(anyOf('grid'), ({ isFocused }) => isFocused);
  await person.doubleClick(row('letter.txt'));
  await person.see({ role: 'region', name: 'Contents of letter.txt' }, ({ text: shown }) => shown.includes('Dear reader'));
  await picture('text');
  await person.press('Escape');
  await person.missing(dialog('letter.txt'));
}

async function search({ person, picture }: Way): Promise<void> {
  await person.press('Control+k');
  await person.see(anyOf('combobox'), ({ isFocused }) => isFocused);
  await person.write('dusk');
  await person.see({ role: 'row', text: 'dusk.png', within: dialog('Search') });
  await picture('search');
  await person.press('Alt+Enter');
  await person.missing(dialog('Search'));
  await person.at('/browse/Server/Album');
}

/** Returns the address of the share. */
async function share({ person, picture }: Way): Promise<string> {
  await person.click(link('Server', { role: 'navigation', name: 'Breadcrumb' }));
  await person.click(row('Album'), 'right');
  await person.click(entry('Share'));
  await person.click(button('Share', anyOf('dialog')));
  const { value } = await person.see(field('SHARE THIS'), (sight) => /\/s\/[^/]+$/.test(sight.value));
  await person.click(button('Copy', anyOf('dialog')));
  await person.see(button('Copied'));
  await picture('share dialog');
  await person.click(button('FINISHED'));
  await person.missing(anyOf('dialog'));
  await person.press('Control+k');
  await person.see(anyOf('combobox'), ({ isFocused }) => isFocused);
  await person.press('Control+v');
  await person.see(anyOf('combobox'), (sight) => sight.value === value);
  await person.press('Escape');
  await person.missing(dialog('Search'));
  return value;
}

async function openSignedOut({ person, picture }: Way, address: string): Promise<void> {
  await person.click(button('Account: Mara Halm'));
  await person.click(entry('Sign out'));
  await person.see({ role: 'heading', name: 'You have been signed out.' });
  await person.open('/browse/Server');
  await person.see({ role: 'heading', name: 'Sign in to Sheaf' });
  await person.open(address);
  await person.see({ role: 'heading', name: 'Album' });
  await person.see(row('dusk.png'));
  await picture('share');
  await person.click(link('letter.txt', row('letter.txt')));
  await person.see({ role: 'region', name: 'Contents of letter.txt' }, ({ text: shown }) => shown === 'Dear reader');
}

/** The steps of the walk, in order: each begins where the previous one ends. */
export const stepsOf = (way: Way): readonly (readonly [name: string, take: () => Promise<void>])[] => {
  let address = '';
  return [
    ['sign up', () => signUp(way)],
    ['link', () => linkStorage(way)],
    ['browse', () => browse(way)],
    ['context menu', () => useMenus(way)],
    ['drag', () => dragOntoFolder(way)],
    ['copy and paste', () => copyAndPaste(way)],
    ['upload', () => upload(way)],
    ['preview', () => preview(way)],
    ['search', () => search(way)],
    ['share', async () => void (address = await share(way))],
    ['share, signed out', () => openSignedOut(way, address)],
  ];
};
