import { limits, search } from '@sheaf/contract';
import { type Command, textOption } from '#/command.ts';
import { Failure } from '#/failure.ts';
import { printable } from '#/names.ts';

/** Maximum number of printed items. */
const mostPrinted = 2000;

export const find: Command = {
  usage: '[--json] [--link NAME] WORDS…',
  about:
    'Finds items by name in all links: words in any order, "type:image", ">10mb", "date:2026-03", "in:invoices". Folders that were never opened are not known.',
  options: { json: { type: 'boolean' }, link: { type: 'string' } },
  async run({ client, terminal, signal }, words, options) {
    if (words.length === 0) throw new Failure('This takes WORDS to look for.', 'usage');
    const name = textOption(options, 'link');
    const query = [...words, ...(name === undefined ? [] : [`link:"${name.replaceAll('"', '""')}"`])].join(' ');
    const server = await client();
    for (let offset = 0; offset < mostPrinted; offset += limits.maxPageSize) {
      const { items, links, hasMore, total, isPartial } = await server.ask(search, { query, offset, limit: limits.maxPageSize }, signal);
      const named = new Map(links.map((link) => [link.userLinkId, link.name]));
      for (const { name: item, folder, userLinkId, fileType, size, modified } of items) {
        const path = `${named.get(userLinkId) ?? ''}${folder === '/' ? '' : folder}/${item}`;
        if (options['json'] === true) terminal.print(JSON.stringify({ path, fileType, size, modified }));
        else terminal.print(printable(path) + (fileType === 'FOLDER' ? '/' : ''));
      }
      if (offset === 0)
        for (const link of links)
          if (link.foldersKnown < link.foldersTotal)
            terminal.tell(`${printable(link.name)}: ${link.foldersKnown} of about ${link.foldersTotal} folders known.`);
      if (hasMore && offset + limits.maxPageSize >= mostPrinted && total !== undefined)
        terminal.tell(`${total} items were found; another word narrows them.`);
      if (!hasMore) {
        if (isPartial === true) terminal.tell('Only a part of the names was looked through; a longer word finds more.');
        else if (total === undefined) terminal.tell('More items were found than are looked at; another word narrows them.');
        return;
      }
    }
  },
};
