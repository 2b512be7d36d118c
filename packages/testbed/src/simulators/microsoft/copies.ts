import { randomUUID } from 'node:crypto';
import type { Handler } from '../kit/index.ts';
import type { Drive, Node } from './drive.ts';
import { folded } from './names.ts';
import { accessDenied, itemNotFound, nameTaken, invalidRequest } from './replies.ts';
import { type World, driveIn, elsewhere, nodeIn, stored } from './state.ts';

interface Request {
  readonly name?: string;
  readonly parentReference?: { readonly id?: string; readonly driveId?: string };
}

interface Job {
  status: 'inProgress' | 'completed' | 'failed';
  resourceId?: string;
  error?: { readonly code: string; readonly message: string };
}

/** Asynchronous copies, monitored at a separate URL. */
export function copyRoutes(world: World) {
  const jobs = new Map<string, Job>();

  const routes: Record<string, Handler> = {
    'POST /drives/{drive-id}/items/{driveItem-id}/microsoft.graph.copy': (request) => {
      const from = driveIn(world, request);
      const node = nodeIn(from, request);
      const { name = node.name, parentReference = {} } = request.json<Request>();
      const to = world.drives.get(parentReference.driveId ?? '');
      if (!to || parentReference.id === undefined || parentReference.id === 'root')
        throw invalidRequest('The target must be told by its ids.');
      if (!to.accounts.includes(request.account.id)) throw accessDenied();
      const folder = to.find(parentReference.id);
      // A personal drive checks the name first; others detect the conflict during the copy.
      if (to.type === 'personal' && folder.children.has(folded(name))) throw nameTaken();
      const id = randomUUID();
      const job: Job = { status: 'inProgress' };
      jobs.set(id, job);
      const fail = (code: string): void => {
        Object.assign(job, { status: 'failed', error: { code, message: 'The item was not copied.' } } satisfies Job);
      };
      const finish = async (): Promise<void> => {
        if (folder.children.has(folded(name))) return fail('nameAlreadyExists');
        if (to.sizeOf(to.root) + from.sizeOf(node) > to.state.total) return fail('quotaLimitReached');
        const copy = await duplicate(node, { from, to, folder, name });
        Object.assign(job, { status: 'completed', resourceId: copy.id } satisfies Job);
      };
      setTimeout(() => void finish(), world.manners.copyTakes);
      return { status: 202, headers: { location: elsewhere(request.url(`/host/monitor/${id}`)) } };
    },
  };
  /** Copies an item; a library of another drive writes its properties into a document, as into one that is uploaded. */
  async function duplicate(
    node: Node,
    { from, to, folder, name }: { readonly from: Drive; readonly to: Drive; readonly folder: Node; readonly name: string },
  ): Promise<Node> {
    const content = from === to || !node.content ? node.content : await stored(world, node.content, to, name);
    const copy = to.duplicate(node, folder, name);
    copy.content = content;
    return copy;
  }

  const hostRoutes: Record<string, Handler> = {
    'GET /monitor/{job}': ({ params, headers }) => {
      const job = jobs.get(params['job'] ?? '');
      if (!job || headers.authorization !== undefined) throw itemNotFound();
      const percentageComplete = job.status === 'completed' ? 100 : 0;
      return { status: job.status === 'inProgress' ? 202 : 200, json: { operation: 'ItemCopy', percentageComplete, ...job } };
    },
  };
  return { routes, hostRoutes };
}
