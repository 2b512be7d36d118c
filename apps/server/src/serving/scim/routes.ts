import { AppError, createScimToken, revokeScimToken, scimPath, setDirectoryGroupRole, showDirectory } from '@sheaf/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Check, Clean, Convert } from 'typebox/value';
import type { Alerts } from '#/identity/mails/alerts.ts';
import type { Reauthentication } from '#/identity/sessions/reauthentication.ts';
import { deviceOf } from '#/identity/sessions/session-cookies.ts';
import { networkOf } from '#/platform/http/network.ts';
import { serve } from '#/platform/http/serve.ts';
import { requireBrowser } from '#/platform/http/session.ts';
import type { Allowance, Throttle } from '#/platform/throttle.ts';
import { isPrivateWay } from '#/serving/programs/private-way.ts';
import { oneResourceType, oneSchema, resourceTypes, schemas, serviceConfig } from './discovery.ts';
import type { Speaker } from './membership.ts';
import { ScimError, errorBody } from './protocol/errors.ts';
import { type Json, isJson } from './protocol/filter.ts';
import { project } from './protocol/resource.ts';
import { Query, listBody } from './query.ts';
import type { Resources } from './resources.ts';
import type { DirectoryService } from './service.ts';

interface Deps {
  readonly directories: {
    readonly service: DirectoryService;
    readonly users: Resources;
    readonly groups: Resources;
    readonly address: string;
  };
  readonly throttle: Pick<Throttle, 'count'>;
  readonly reauthentication: Pick<Reauthentication, 'require'>;
  readonly alerts: Alerts;
}

const mediaType = 'application/scim+json; charset=utf-8';
/** Requests of one organisation's directory, and wrong tokens of one network. */
const perOrganisation: Allowance = { tries: 3000, seconds: 60 };
const wrongTokens: Allowance = { tries: 100, seconds: 900 };

interface Params {
  readonly id: string;
}

/** The calls of the admins' page, and SCIM 2.0 (RFC 7644) below /scim/v2, by which directories keep members. */
export function directoryRoutes(app: FastifyInstance, { directories, throttle, reauthentication, alerts }: Deps): void {
  const { service, users, groups, address } = directories;
  serve(app, showDirectory, ({ userId, session, input }) => {
    requireBrowser(session);
    return service.show(userId, input.orgOid);
  });
  serve(app, createScimToken, async ({ userId, session, input, request }) => {
    await reauthentication.require(session);
    const { orgName, ...made } = await service.createToken(userId, input.orgOid, input.name);
    alerts.tell(userId, { kind: 'added', what: `The directory token "${input.name.trim()}" of ${orgName}` }, deviceOf(request));
    return made;
  });
  serve(app, revokeScimToken, async ({ userId, session, input }) => {
    requireBrowser(session);
    await service.revokeToken(userId, input.orgOid, input.tokenId);
    return {};
  });
  serve(app, setDirectoryGroupRole, async ({ userId, session, input }) => {
    requireBrowser(session);
    await service.setGroupRole(userId, input.orgOid, input.groupId, input.role);
    return {};
  });

  async function speakerOf(request: FastifyRequest): Promise<Speaker> {
    if (!isPrivateWay(request)) throw new ScimError(403, 'Directories are served over https only.');
    const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '') ?? [];
    const speaker = token === undefined ? undefined : await service.speakerOf(token);
    if (!speaker) {
      if (token !== undefined) await throttle.count(`directory tokens of ${networkOf(request.ip)}`, wrongTokens);
      throw new ScimError(401, 'The token is missing, unknown or revoked.');
    }
    await throttle.count(`directory of ${speaker.orgId}`, perOrganisation);
    return speaker;
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: unknown, body: string | Buffer) => body.toString());
    scope.setErrorHandler((error, request, reply) => refuse(error, request, reply));
    const send = (reply: FastifyReply, body: Json, status = 200): FastifyReply =>
      reply.code(status).type(mediaType).header('cache-control', 'no-store').send(JSON.stringify(body));
    /** Descriptions of the service are public; everything else needs a token, so that nobody without one learns of an organisation. */
    const about = (path: string, body: (params: Params) => Json): void => {
      scope.get<{ Params: Params }>(scimPath + path, async (request, reply) => {
        await speakerOf(request);
        return send(reply, body(request.params));
      });
    };
    about('/ServiceProviderConfig', () => serviceConfig(address));
    about('/ResourceTypes', () => resourceTypes(address));
    about('/ResourceTypes/:id', ({ id }) => oneResourceType(address, id));
    about('/Schemas', () => schemas(address));
    about('/Schemas/:id', ({ id }) => oneSchema(address, id));

    for (const [path, kind] of [
      ['/Users', users],
      ['/Groups', groups],
    ] as const) {
      const list = async (speaker: Speaker, query: Query, reply: FastifyReply): Promise<FastifyReply> => {
        const { total, start, resources } = await kind.list(speaker, query);
        const shown = resources.map((one) => project(one, query.attributes, query.excludedAttributes));
        return send(reply, listBody(total, start, shown));
      };
      const one = (request: FastifyRequest, reply: FastifyReply, resource: Json, status?: number): FastifyReply => {
        const { attributes, excludedAttributes } = readQuery(request.query);
        const { version, location } = metaOf(resource);
        return send(reply.header('etag', version).header('location', location), project(resource, attributes, excludedAttributes), status);
      };
      scope.get(scimPath + path, async (request, reply) => list(await speakerOf(request), readQuery(request.query), reply));
      scope.post(`${scimPath}${path}/.search`, async (request, reply) =>
        list(await speakerOf(request), readQuery(readBody(request), true), reply),
      );
      scope.post(scimPath + path, async (request, reply) =>
        one(request, reply, await kind.create(await speakerOf(request), readBody(request)), 201),
      );
      scope.get<{ Params: Params }>(`${scimPath}${path}/:id`, async (request, reply) => {
        const found = await kind.get(await speakerOf(request), request.params.id);
        const condition = request.headers['if-none-match'];
        const { version } = metaOf(found);
        if (condition?.split(',').some((tag) => tag.trim() === version)) return reply.code(304).header('etag', version).send();
        return one(request, reply, found);
      });
      scope.put<{ Params: Params }>(`${scimPath}${path}/:id`, async (request, reply) =>
        one(
          request,
          reply,
          await kind.replace(await speakerOf(request), request.params.id, readBody(request), request.headers['if-match']),
        ),
      );
      scope.patch<{ Params: Params }>(`${scimPath}${path}/:id`, async (request, reply) =>
        one(request, reply, await kind.patch(await speakerOf(request), request.params.id, readBody(request), request.headers['if-match'])),
      );
      scope.delete<{ Params: Params }>(`${scimPath}${path}/:id`, async (request, reply) => {
        await kind.remove(await speakerOf(request), request.params.id, request.headers['if-match']);
        return reply.code(204).send();
      });
    }
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${scimPath}/*`,
      async handler(request) {
        await speakerOf(request);
        throw /^\/(Bulk|Me)\b/i.test(request.url.slice(scimPath.length))
          ? new ScimError(501, 'This is not supported.')
          : new ScimError(404, 'There is no such thing.');
      },
    });
  });
}

/** Reads the options of a list, from a query string, where numbers are texts, or from a search's body. Throws invalidValue. */
function readQuery(given: unknown, isBody = false): Query {
  const known = Clean(Query, isJson(given) ? { ...given } : {});
  // A search's body may list attributes.
  const flat =
    isJson(known) && isBody
      ? Object.fromEntries(Object.entries(known).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]))
      : known;
  const query: unknown = Convert(Query, flat);
  if (!Check(Query, query)) throw new ScimError('invalidValue', 'filter is a text, startIndex and count are whole numbers.');
  return query;
}

const metaOf = ({ meta }: Json): { version: string; location: string } => {
  const { version, location } = isJson(meta) ? meta : {};
  return { version: String(version), location: String(location) };
};

/** Throws invalidSyntax. */
function readBody({ body }: FastifyRequest): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '');
  } catch (error) {
    throw Object.assign(new ScimError('invalidSyntax', 'The body is not JSON.'), { cause: error });
  }
}

function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof ScimError ? error : undefined;
  const status = known?.status ?? (error instanceof AppError ? error.status : statusOf(error));
  if (status >= 500 && !known) request.log.error({ err: error }, 'a directory was not served');
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Sheaf"');
  if (error instanceof AppError && status === 429) reply.header('retry-after', error.details['seconds'] ?? '60');
  if (status === 503) reply.header('retry-after', '2');
  const detail = known?.message ?? (error instanceof AppError ? error.toAnswer().message : 'Something went wrong. Please try again.');
  return reply
    .code(status)
    .type(mediaType)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(errorBody(status, detail, known?.scimType)));
}

/** Fastify's own refusals carry a status, such as 413. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
