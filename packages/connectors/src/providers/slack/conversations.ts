import type { CallOptions } from '../../core/connector.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { type Conversation, ConversationsPage, type SlackItem, folderItem } from './api.ts';
import type { SlackClient } from './client.ts';
import { createPeople } from './people.ts';

/** The folder of files that were uploaded but never shared; no conversation has this id. */
export const looseFolder = folderItem('loose', 'Files without a channel');

const types = 'public_channel,private_channel,im,mpim';

/** The user's conversations as folders: channels by name, direct messages by the members' names. */
export function createConversations(client: SlackClient) {
  const people = createPeople(client);

  return async function* children(_root: SlackItem, ask: CallOptions): AsyncGenerator<readonly SlackItem[]> {
    const all: Conversation[] = [];
    const pages = pagesInSequence('', ask, async (cursor: string) => {
      const query = { types, limit: 999, ...(cursor !== '' && { cursor }) };
      const page = await client.call(ConversationsPage, { name: 'users.conversations', query, signal: ask.signal });
      // An empty cursor marks the last page.
      const next = page.response_metadata?.next_cursor;
      return { page: page.channels, ...(next && { next }) };
    });
    for await (const page of pages) all.push(...page);
    const partners = all.flatMap(({ is_im, user }) => (is_im && user ? [user] : []));
    const names = await people.namesOf([...new Set(partners)], ask);
    yield [...all.map((one) => folderItem(one.id, names.get(one.user ?? '') ?? nameOf(one))), looseFolder];
  };
}

/** Converts Slack's name of a group message, `mpdm-mara--jon--ida-1`, to `mara, jon, ida`. */
function nameOf({ id, name, is_mpim }: Conversation): string {
  const people = is_mpim ? /^mpdm-(.+)-\d+$/.exec(name ?? '')?.[1] : undefined;
  return people?.split('--').join(', ') ?? (name || id);
}
