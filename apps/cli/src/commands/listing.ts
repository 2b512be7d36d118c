import { type Item, allLinks } from '@sheaf/contract';
import type { Client } from '#/client.ts';
import { type Command, type Context, exactly } from '#/command.ts';
import { printable } from '#/names.ts';
import { find, listFolder } from '#/remote-paths.ts';

const json = { type: 'boolean' } as const;

async function linksOf(client: Client, signal: AbortSignal) {
  const { activeSources } = await client.ask(allLinks, {}, signal);
  return activeSources.flatMap(({ links, title }) => links.map((link) => ({ ...link, title })));
}

export const links: Command = {
  usage: '[--json]',
  about: 'Lists your links: name, type and state.',
  options: { json },
  async run({ client, terminal, signal }, args, options) {
    exactly(args);
    const all = await linksOf(await client(), signal);
    if (options['json'] === true)
      terminal.print(
        JSON.stringify(all.map(({ disambiguatedName: name, title, state, linkUri }) => ({ name, type: title, state, linkUri }))),
      );
    else
      for (const { disambiguatedName, title, state, attention } of all)
        terminal.print([disambiguatedName, title, state, attention ?? ''].map(printable).join('\t').trimEnd());
  },
};

export const ls: Command = {
  usage: '[-l] [--json] [PATH]',
  about: 'Lists a folder, such as "My NAS/Photos"; without a path, your links. -l shows size and time.',
  options: { long: { type: 'boolean', short: 'l' }, json },
  async run(context, args, options) {
    if (args.length === 0) {
      await links.run(context, args, options);
      return;
    }
    const [path] = exactly(args, 'PATH');
    const { client, signal } = context;
    const server = await client();
    const item = await find(server, path, signal);
    const items: AsyncIterable<Item> | Item[] = item.fileType === 'FOLDER' ? listFolder(server, item.linkUri, signal) : [item];
    await printItems(context, items, options['json'] === true, options['long'] === true);
  },
};

async function printItems({ terminal }: Context, items: AsyncIterable<Item> | Item[], asJson: boolean, long: boolean): Promise<void> {
  for await (const item of items) {
    const { name, fileType, size, modified } = item;
    const shown = printable(name) + (fileType === 'FOLDER' ? '/' : '');
    if (asJson) terminal.print(JSON.stringify({ name, fileType, size, modified }));
    else if (long) terminal.print(`${String(size ?? '-').padStart(14)}  ${dateOf(modified)}  ${shown}`);
    else terminal.print(shown);
  }
}

/** Formats a time as UTC, with a fixed width. */
const dateOf = (seconds: number | undefined): string =>
  seconds === undefined
    ? '-'.padEnd(20)
    : new Date(seconds * 1000)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
        .slice(-20);
