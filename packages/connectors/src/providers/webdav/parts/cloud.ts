import { Type } from 'typebox';
import { isKind } from '../../../core/error.ts';
import { parseJson } from '../../../kit/rest/json.ts';
import { childOf, scanXml } from '../../../kit/xml/xml.ts';
import { segmentsOfHref } from '../api.ts';
import type { DavClient } from '../client.ts';

/** Features that a Nextcloud or ownCloud server reports. */
export interface CloudAbilities {
  /** Whether it supports uploads in chunks: https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/chunking.html. */
  readonly chunks: boolean;
  /** ownCloud computes the SHA-1 of every file; Nextcloud returns the SHA-256 of a PUT that requests it by `X-Hash`. */
  readonly hash: 'sha1' | 'sha256' | undefined;
}

const Capabilities = Type.Object({
  ocs: Type.Object({
    data: Type.Object({
      capabilities: Type.Object({
        dav: Type.Optional(Type.Object({ chunking: Type.Optional(Type.String()) })),
        checksums: Type.Optional(Type.Object({ supportedTypes: Type.Optional(Type.Array(Type.String())) })),
      }),
    }),
  }),
});

/** Returns the path before the WebDAV endpoint of a Nextcloud or ownCloud server; undefined for other URLs. */
export const cloudRootOf = (base: string): string | undefined => /^(.*?)\/remote\.php\/(?:dav|webdav)(?:\/|$)/.exec(base)?.[1];

const nothing: CloudAbilities = { chunks: false, hash: undefined };

/** Requests the features of the server at `root`; without a valid response it has none of them. */
export async function askCloud(client: DavClient, root: string, signal: AbortSignal): Promise<CloudAbilities> {
  const headers = { accept: 'application/json', 'ocs-apirequest': 'true' };
  const response = await client.send({ method: 'GET', path: `${root}/ocs/v1.php/cloud/capabilities?format=json`, headers, signal });
  if (response.status !== 200) {
    await response.discard();
    return nothing;
  }
  try {
    const { dav, checksums } = parseJson(Capabilities, await response.text()).ocs.data.capabilities;
    const chunks = Number.parseFloat(dav?.chunking ?? '0') >= 1;
    return { chunks, hash: checksums?.supportedTypes?.includes('SHA1') ? 'sha1' : chunks ? 'sha256' : undefined };
  } catch (error) {
    if (isKind(error, 'unexpected')) return nothing;
    throw error;
  }
}

const principal = '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>';

/**
 * Returns the account's id, percent-encoded: part of the link's URL, or requested (RFC 5397), because it may differ from the login name.
 */
export async function accountId(client: DavClient, base: string, signal: AbortSignal): Promise<string | undefined> {
  const named = /\/remote\.php\/dav\/files\/([^/]+)/.exec(base)?.[1];
  if (named !== undefined) return named;
  const path = `${cloudRootOf(base) ?? ''}/remote.php/dav/`;
  const headers = { depth: '0', 'content-type': 'application/xml; charset=utf-8' };
  const response = await client.send({ method: 'PROPFIND', path, headers, body: principal, signal });
  if (response.status !== 207) {
    await response.discard();
    return undefined;
  }
  let id: string | undefined;
  for await (const elements of scanXml(response.stream(), ['current-user-principal']))
    for (const element of elements) id ??= segmentsOfHref(childOf(element, 'href', 'DAV:')?.text ?? '').at(-1);
  return id === undefined ? undefined : encodeURIComponent(id);
}
