import type { CallOptions } from '../../core/connector.ts';
import { isKind } from '../../core/error.ts';
import { inParallel } from '../../kit/concurrency/parallel.ts';
import { pagesInSequence } from '../../kit/rest/paging.ts';
import { type SlackUser, UserAnswer, UsersPage } from './api.ts';
import type { SlackClient } from './client.ts';

/** Up to this many unknown users are requested one by one; for more, the full list costs less of the rate limit. */
const mostAsked = 20;
const askWidth = 4;
/** Cache lifetime of a name in ms. */
const trustFor = 600_000;

/** Cache of user names. */
export function createPeople(client: SlackClient, now: () => number = Date.now) {
  const names = new Map<string, { readonly name: string; readonly until: number }>();
  const isKnown = (id: string): boolean => (names.get(id)?.until ?? 0) > now();
  const learn = (id: string, name: string): void => void names.set(id, { name, until: now() + trustFor });

  async function askOne(id: string, { signal }: CallOptions): Promise<void> {
    try {
      learn(id, nameOfUser((await client.call(UserAnswer, { name: 'users.info', query: { user: id }, signal })).user));
    } catch (error) {
      // A user of another workspace who is unknown here now.
      if (!isKind(error, 'notFound')) throw error;
      learn(id, id);
    }
  }

  async function askAll({ signal }: CallOptions): Promise<void> {
    const pages = pagesInSequence('', { signal }, async (cursor: string) => {
      const query = { limit: 200, ...(cursor !== '' && { cursor }) };
      const page = await client.call(UsersPage, { name: 'users.list', query, signal });
      const next = page.response_metadata?.next_cursor;
      return { page: page.members, ...(next && { next }) };
    });
    for await (const members of pages) for (const user of members) learn(user.id, nameOfUser(user));
  }

  return {
    /** Returns user names by id; falls back to the id. */
    async namesOf(ids: readonly string[], ask: CallOptions): Promise<ReadonlyMap<string, string>> {
      if (ids.filter((id) => !isKnown(id)).length > mostAsked) await askAll(ask);
      await inParallel(
        ids.filter((id) => !isKnown(id)),
        askWidth,
        (id) => askOne(id, ask),
      );
      return new Map(ids.map((id) => [id, names.get(id)?.name ?? id]));
    },
  };
}

const nameOfUser = ({ id, name, real_name, profile }: SlackUser): string =>
  profile?.display_name || real_name || profile?.real_name || name || id;
