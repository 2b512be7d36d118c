/**
 * The kit that the simulators of cloud providers are made with. A simulator is the provider's distilled description, a handler for each of its operations,
 * and state. The kit finds the operation, checks the request and the answer against the description, and says no in the provider's words; what was not as
 * described stands in `violations`, and a test ends with `assertClean()`.
 *
 * Its guide in one example; every name is explained where it is defined.
 *
 * @example
 * const description = readDescription(join(import.meta.dirname, 'description.json'));
 *
 * export async function startDrive({ accounts, client }: DriveOptions) {
 *   const contents = createContents({ hashes: { md5: nodeHash('md5') } });
 *   const files = new Map([['1', { id: '1', name: 'a.txt', content: contents.of('hello') }]]);
 *   const find = (id = '') => {
 *     const file = files.get(id);
 *     if (!file) throw refuse({ status: 404, json: { error: 'notFound' } });
 *     return file;
 *   };
 *   const oauth = createOAuth({ provider: 'Drive', client, accounts, scopes: ['read', 'write'], pkce: 'required', rotation: 'singleUse' });
 *   const simulator = await startSimulator({
 *     name: 'drive',
 *     authenticate: oauth.authenticate,
 *     refusal: (problem) => ({ status: statuses[problem.kind], json: { error: problem.kind } }),
 *     mounts: [
 *       oauth.mount({ at: '/auth', authorize: '/authorize', token: '/token', revoke: '/revoke' }),
 *       {
 *         at: '/api/v1',
 *         description,
 *         scopes: { '*': ['read', 'write'], 'POST /files': ['write'] },
 *         routes: {
 *           'GET /files/{id}': ({ params }) => ({ json: toFile(find(params['id'])) }),
 *           'GET /files/{id}/content': (request) => answerContent(request, find(request.params['id']).content, { etag: '"1"' }),
 *           'POST /files': async ({ query, stream }) => ({ status: 201, json: add(query.get('name'), await contents.receive(stream)) }),
 *         },
 *       },
 *     ],
 *   });
 *   return { ...simulator, oauth, files };
 * }
 */
export { createContents, type Content, type Contents, type ContentWriter } from './contents.ts';
export { readDescription, type Description } from './description/description.ts';
export type { Fault, FaultMatch, Faults, PlannedFault } from './faults.ts';
export { crc32c, nodeHash, type Hasher } from './hashes.ts';
export type { Mount, Problem } from './host.ts';
export type { Account, Identity, RejectedToken } from './identity.ts';
export type { Limit } from './limits.ts';
export { createOAuth, type OAuth } from './oauth/oauth.ts';
export type { OAuthOptions } from './oauth/oauth-options.ts';
export { tokenError } from './oauth/oauth-token.ts';
export type { Grant, Issued } from './oauth/oauth-tokens.ts';
export { asSegment } from './description/operations.ts';
export { patternStream } from './description/pattern.ts';
export { answerContent, readContentRange, readRange } from './ranges.ts';
export { escapeMarkup, refuse, type Reply } from './reply.ts';
export type { Handler, SimulatedRequest } from './request.ts';
export { createWebhooks, type WebhookAnswer, type Webhooks } from './webhooks/webhooks.ts';
export { startSimulator, type RequestRecord, type Simulator } from './simulator.ts';
