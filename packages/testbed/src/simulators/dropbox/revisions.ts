import type { Handler } from '../kit/index.ts';
import { as, under } from './files.ts';
import { timeText, toMetadata, untagged } from './metadata.ts';
import { type People, inView } from './people.ts';
import { routeError, union } from './refusals.ts';
import { PathError } from './tree.ts';

/** Earlier contents of a path, and their return. */
export function restoreRoutes(people: People): Record<string, Handler> {
  return {
    'POST /2/files/list_revisions': (request) => {
      const view = people.viewOf(request);
      const { path, limit = 10 } = request.json<{ readonly path: string; readonly limit?: number }>();
      return under(as('path'), () => {
        const { tree } = view;
        const segments = inView(view, path);
        const at = tree.told(segments);
        const current = tree.has(segments) ? tree.find(segments) : undefined;
        const gone = current ? undefined : tree.deletedAt(at);
        if (current?.kind === 'folder' || gone?.kind === 'folder') throw new PathError(union('not_file'));
        if (!current && !gone) throw new PathError(union('not_found'));
        const all = [...(current ? [current] : []), ...tree.past(at)];
        return {
          json: {
            is_deleted: current === undefined,
            ...(gone && { server_deleted: timeText(gone.at) }),
            entries: all.slice(0, limit).map((file) => untagged(toMetadata(file, path))),
            has_more: all.length > limit,
          },
        };
      });
    },
    'POST /2/files/restore': (request) => {
      const view = people.viewOf(request);
      const { path, rev } = request.json<{ readonly path: string; readonly rev: string }>();
      return under(as('path_write'), () => {
        const { tree } = view;
        const segments = inView(view, path);
        const found = tree.past(tree.told(segments)).find((file) => file.rev === rev);
        if (!found) throw routeError(union('invalid_revision'));
        const { content, clientModified } = found;
        return { json: untagged(toMetadata(tree.store(segments, { content, clientModified }, 'overwrite', true), path)) };
      });
    },
  };
}
