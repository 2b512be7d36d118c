import type { Static, TSchema } from 'typebox';
import type { Env } from '../../core/definition.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { type Api, type ApiRequest, createApi } from '../../kit/rest/api.ts';
import { parseJson } from '../../kit/rest/json.ts';
import type { Space } from './api.ts';
import { procoreError, storageError } from './errors.ts';

/** Connections of one link, to Procore and to its storage each. */
export const maxConnections = 8;

export const apiUrl = 'https://api.procore.com';
const answerLimit = 64 * 1024 * 1024;

export interface ProcoreClient {
  /** Sends a request about a company, which a header names. */
  json<S extends TSchema>(schema: S, company: number, request: ApiRequest): Promise<Static<S>>;
  done(company: number, request: ApiRequest): Promise<void>;
  /** Returns a page of a list, and the total where Procore provides it. */
  page<S extends TSchema>(
    schema: S,
    company: number | undefined,
    request: ApiRequest,
  ): Promise<{ readonly page: Static<S>; readonly total?: number }>;
  /** Client for the storage's signed URLs. */
  readonly storage: Api;
  close(): void;
}

/** Procore's REST API on behalf of the link's user. https://developers.procore.com/documentation/introduction */
export function createProcoreClient(env: Env): ProcoreClient {
  const base = env.app?.apiUrl ?? apiUrl;
  const api = createApi({ env, base, maxConnections, refusal: procoreError });
  const storage = createApi({ env, base, maxConnections, refusal: storageError });

  const send = (company: number | undefined, request: ApiRequest): Promise<HttpResponse> => {
    const headers = { ...request.headers, ...(company !== undefined && { 'procore-company-id': String(company) }) };
    return api.send({ ...request, headers });
  };
  const json = async <S extends TSchema>(schema: S, response: HttpResponse): Promise<Static<S>> =>
    parseJson(schema, await response.text(answerLimit));

  return {
    json: async (schema, company, request) => json(schema, await send(company, request)),
    done: async (company, request) => (await send(company, request)).discard(),
    async page(schema, company, request) {
      const response = await send(company, request);
      const { total } = response.headers;
      const told = total !== undefined && /^\d{1,9}$/.test(total) ? { total: Number(total) } : {};
      return { page: await json(schema, response), ...told };
    },
    storage,
    close() {
      api.close();
      storage.close();
    },
  };
}

interface Place {
  readonly url: string;
  readonly query: Readonly<Record<string, number>>;
}

/** Returns the URL of folders, files or versions: a project is given in the query, a company in the path. */
export function placeOf({ company, project }: Space, what: 'folders' | 'files' | 'file_versions', id?: number): Place {
  const end = id === undefined ? what : `${what}/${id}`;
  if (project === undefined) return { url: `/rest/v1.0/companies/${company}/${end}`, query: {} };
  return { url: `/rest/v1.0/${end}`, query: { project_id: project } };
}

/** URL prefix of endpoints with a path for either kind of space. */
export const spaceUrl = ({ company, project }: Space, version: 'v1.0' | 'v1.1'): string =>
  `/rest/${version}/${project === undefined ? `companies/${company}` : `projects/${project}`}`;
