import { appError } from '@sheaf/contract';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Clock } from '#/platform/clock.ts';
import { OAuthError } from './oauth-error.ts';

const longestName = 100;
const mostRedirectUris = 20;
const longestUri = 2048;
/** Milliseconds for which a description on the web is used without asking again. */
const documentLasts = 300_000;
const mostDocuments = 500;

const Uri = Type.String({ minLength: 1, maxLength: longestUri });
/** The fields of a program's metadata (RFC 7591, section 2) that are used here. */
const Metadata = Type.Object({
  client_id: Type.Optional(Type.String({ maxLength: longestUri })),
  client_name: Type.Optional(Type.String({ maxLength: 1000 })),
  redirect_uris: Type.Array(Uri, { minItems: 1, maxItems: mostRedirectUris }),
  token_endpoint_auth_method: Type.Optional(Type.String({ maxLength: 100 })),
  grant_types: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  response_types: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
});
type Metadata = Static<typeof Metadata>;

/** A program that may ask for access. */
export interface Client {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Host of its description on the web; absent for a program that has registered itself. */
  readonly home?: string;
}

interface Deps {
  readonly registered: {
    add(row: { id: string; name: string; redirectUris: string; createdAt: number }): Promise<void>;
    find(id: string): Promise<{ id: string; name: string; redirectUris: string } | undefined>;
  };
  /** The JSON at an address of the web; rejects with AppError. Follows no redirects. */
  readonly fetchDocument: (address: URL, signal: AbortSignal) => Promise<unknown>;
  readonly newId: () => string;
  readonly now: Clock;
}

export type Clients = ReturnType<typeof createClients>;

/**
 * Programs that may ask: those that have registered themselves (RFC 7591), and those whose id is the address of their description
 * (draft-ietf-oauth-client-id-metadata-document). All of them are public: nobody keeps a secret in a program that everybody has.
 */
export function createClients({ registered, fetchDocument, newId, now }: Deps) {
  const documents = new Map<string, { readonly client: Client; readonly until: number }>();

  async function described(clientId: string, signal: AbortSignal): Promise<Client> {
    const known = documents.get(clientId);
    if (known && known.until > performance.now()) return known.client;
    const address = documentAddress(clientId);
    const metadata = await fetchDocument(address, signal);
    const client = { ...fromDocument(clientId, metadata), home: address.host };
    if (documents.size >= mostDocuments) documents.clear();
    documents.set(clientId, { client, until: performance.now() + documentLasts });
    return client;
  }

  return {
    /** Registers a program that describes itself; returns its description with the id. Throws OAuthError. */
    async register(metadata: unknown): Promise<Record<string, unknown>> {
      if (!Check(Metadata, metadata)) throw new OAuthError('invalid_client_metadata', 'this is no description of a client');
      const { redirect_uris: redirectUris } = metadata;
      if (!isPublic(metadata)) throw new OAuthError('invalid_client_metadata', 'only the token_endpoint_auth_method "none" is offered');
      if (!redirectUris.every(isRedirectUri))
        throw new OAuthError('invalid_redirect_uri', 'a redirect URI needs https, or http on this computer');
      const [id, name, createdAt] = [newId(), nameOf(metadata), now()];
      await registered.add({ id, name, redirectUris: JSON.stringify(redirectUris), createdAt });
      return {
        client_id: id,
        client_id_issued_at: createdAt,
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      };
    },

    /** Rejects with AGENT_REFUSED for a program that nobody knows. */
    async find(clientId: string, signal: AbortSignal): Promise<Client> {
      if (/^https?:/i.test(clientId)) return described(clientId, signal);
      const row = await registered.find(clientId);
      if (!row) throw appError('AGENT_REFUSED', { problem: 'it is not registered here' });
      return { clientId, name: row.name, redirectUris: JSON.parse(row.redirectUris) as string[] };
    },
  };
}

/** Checks an id that is an address: section 3 of the draft. */
function documentAddress(clientId: string): URL {
  const address = clientId.length <= longestUri && URL.canParse(clientId) ? new URL(clientId) : undefined;
  const isRight =
    address?.protocol === 'https:' &&
    address.pathname !== '/' &&
    address.hash === '' &&
    address.username === '' &&
    address.password === '' &&
    // Dot segments and the like, which the parser resolves: the id is compared as text.
    address.href === clientId;
  if (!isRight) throw appError('AGENT_REFUSED', { problem: 'its id is no proper address' });
  return address;
}

function fromDocument(clientId: string, metadata: unknown): Client {
  const where = new URL(clientId).host;
  if (!Check(Metadata, metadata) || metadata.client_id !== clientId || metadata.client_name === undefined || !isPublic(metadata))
    throw appError('AGENT_REFUSED', { problem: `its description at ${where} does not fit` });
  if (!metadata.redirect_uris.every(isRedirectUri))
    throw appError('AGENT_REFUSED', { problem: `its description at ${where} returns to an address that is not safe` });
  return { clientId, name: nameOf(metadata), redirectUris: metadata.redirect_uris };
}

const isPublic = ({ token_endpoint_auth_method: method = 'none' }: Metadata): boolean => method === 'none';

/** The name without characters that could disguise it, such as controls and marks of direction. */
function nameOf({ client_name: given = '' }: Metadata): string {
  const plain = given
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain === '' ? 'An agent without a name' : [...plain].slice(0, longestName).join('');
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
export const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && loopbackHosts.has(hostname);

/** https, or this computer: the MCP specification allows nothing else. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const uri = new URL(text);
  return uri.hash === '' && uri.username === '' && uri.password === '' && (uri.protocol === 'https:' || isLoopback(uri));
}

/** Whether a program may return there: exactly a registered address, but for the port on this computer (RFC 8252, section 7.3). */
export function mayReturnTo({ redirectUris }: Client, text: string): boolean {
  if (!isRedirectUri(text)) return false;
  if (redirectUris.includes(text)) return true;
  const asked = new URL(text);
  if (!isLoopback(asked)) return false;
  asked.port = '';
  return redirectUris.some((one) => {
    const known = new URL(one);
    known.port = '';
    return isLoopback(known) && known.href === asked.href;
  });
}
