import type { Ask } from '../../core/connector.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { type Conversation, ConversationsPage, type SlackItem, folderItem } from './api.ts';
import type { SlackClient } from './client.ts';
import { createPeople } from './people.ts';

/** The folder of what was uploaded and shared nowhere; no conversation has such an id. */
export const looseFolder = folderItem('loose', 'Files without a channel');

const types = 'public_channel,private_channel,im,mpim';

/** The user's conversations as folders: channels by their names, direct messages by the people's. */
export function createConversations(client: SlackClient) {
  const people = createPeople(client);

  return async function* children(_root: SlackItem, ask: Ask): AsyncGenerator<readonly SlackItem[]> {
    const all: Conversation[] = [];
    const pages = pagesInSequence('', ask, async (cursor: string) => {
      const query = { types, limit: 999, ...(cursor !== '' && { cursor }) };
      const page = await client.call(ConversationsPage, { name: 'users.conversations', query, signal: ask.signal });
      // An empty cursor is the end.
      const next = page.response_metadata?.next_cursor;
      return { page: page.channels, ...(next && { next }) };
    });
    for await (const page of pages) all.push(...page);
    const partners = all.flatMap(({ is_im, user }) => (is_im && user ? [user] : []));
    const names = await people.namesOf([...new Set(partners)], ask);
    yield [...all.map((one) => folderItem(one.id, names.get(one.user ?? '') ?? nameOf(one))), looseFolder];
  };
}

/** `mpdm-mara--jon--ida-1`, as Slack calls a message to several people, becomes `mara, jon, ida`. */
function nameOf({ id, name, is_mpim }: Conversation): string {
  const people = is_mpim ? /^mpdm-(.+)-\d+$/.exec(name ?? '')?.[1] : undefined;
  return people?.split('--').join(', ') ?? (name || id);
}
