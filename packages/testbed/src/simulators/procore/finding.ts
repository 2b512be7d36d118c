import type { SimulatedRequest } from '../kit/index.ts';
import { no } from './replies.ts';
import type { Company, Node, Space, State } from './state.ts';

/** Finds what a request names, for a user with access. */
export function createFinder(state: State) {
  /** Every request about a company also names it in a header. */
  function company({ headers, account }: SimulatedRequest, id: number): Company {
    const found = state.companies.get(id);
    if (headers['procore-company-id'] !== String(id)) throw no(400, 'The header Procore-Company-Id is missing or names another company.');
    if (!found?.members.has(account.email)) throw no(403, 'You do not have access to this company.');
    if (!found.isConnected) throw no(403, 'App is not connected to this company.');
    return found;
  }

  /** Returns the space that the path or the query names. */
  function space(request: SimulatedRequest): Space {
    const { params, query } = request;
    const project = params['project_id'] ?? query.get('project_id');
    const found = project === null ? state.companySpaces.get(Number(params['company_id'])) : state.projects.get(Number(project));
    if (!found) throw no(404, 'Not found');
    company(request, found.company.id);
    return found;
  }

  function node(request: SimulatedRequest, kind: Node['kind'], id: number): Node {
    const found = state.nodes.get(id);
    if (!found || found.kind !== kind || found.space() !== space(request) || found.isDeleted) throw no(404, 'Not found');
    return found;
  }

  return {
    company,
    space,
    node,
    named: (request: SimulatedRequest, kind: Node['kind']): Node => node(request, kind, Number(request.params['id'])),
    /** Returns the parent folder of a new item. */
    parent: (request: SimulatedRequest, id: number | undefined): Node =>
      id === undefined ? space(request).root : node(request, 'folder', id),
  };
}
export type Finder = ReturnType<typeof createFinder>;
