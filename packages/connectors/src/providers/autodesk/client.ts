import type { Env } from '../../core/definition.ts';
import { type Api, createApi } from '../../kit/rest/api.ts';
import { autodeskError, storeError } from './errors.ts';

/** Connections of one link, to Autodesk and to the object store each. */
export const maxConnections = 8;

export const apiUrl = 'https://developer.api.autodesk.com';
export const documentType = { 'content-type': 'application/vnd.api+json' } as const;

export interface AutodeskClient {
  /** Data Management and the object store's own API. */
  readonly api: Api;
  /** Uploads and downloads by signed URLs. */
  readonly store: Api;
  close(): void;
}

/**
 * Autodesk's API on behalf of the link's user.
 * https://aps.autodesk.com/en/docs/data/v2/overview/
 */
export function createAutodeskClient(env: Env): AutodeskClient {
  const base = env.app?.apiUrl ?? apiUrl;
  const api = createApi({ env, base, maxConnections, refusal: autodeskError });
  const store = createApi({ env, base, maxConnections, refusal: storeError });
  return {
    api,
    store,
    close() {
      api.close();
      store.close();
    },
  };
}

/** Encodes one path segment. */
export const part = (id: string): string => encodeURIComponent(id);
export const projectUrl = (project: string): string => `/data/v1/projects/${part(project)}`;
export const folderUrl = (project: string, folder: string): string => `${projectUrl(project)}/folders/${part(folder)}`;
export const objectUrl = ({ bucket, key }: { readonly bucket: string; readonly key: string }): string =>
  `/oss/v2/buckets/${part(bucket)}/objects/${part(key)}`;
