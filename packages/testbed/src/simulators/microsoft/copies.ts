import { randomUUID } from 'node:crypto';
import type { Handler } from '../kit/index.ts';
import { folded } from './names.ts';
import { itemNotFound, nameTaken, invalidRequest } from './replies.ts';
import { type World, driveIn, elsewhere, nodeIn } from './state.ts';

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
      const folder = to.find(parentReference.id);
      // A personal drive checks the name first; others detect the conflict during the copy.
      if (to.type === 'personal' && folder.children.has(folded(name))) throw nameTaken();
      const id = randomUUID();
      const job: Job = { status: 'inProgress' };
      jobs.set(id, job);
      setTimeout(() => {
        if (folder.children.has(folded(name))) {
          job.error = { code: 'nameAlreadyExists', message: 'Name already exists' };
          job.status = 'failed';
          return;
        }
        job.resourceId = to.duplicate(node, folder, name).id;
        job.status = 'completed';
      }, world.manners.copyTakes);
      return { status: 202, headers: { location: elsewhere(request.url(`/host/monitor/${id}`)) } };
    },
  };
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
