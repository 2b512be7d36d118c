import type { IncomingMessage } from 'node:http';
import type { Description } from './description/description.ts';
import { type Operations, readOperations } from './description/operations.ts';
import { type Schemas, createSchemas } from './description/schemas.ts';
import type { Fault } from './faults.ts';
import type { Identity, RejectedToken } from './identity.ts';
import type { Reply } from './reply.ts';
import type { Handler } from './request.ts';

/** Reason of a response by the kit itself, to be put into the provider's error format. */
export type Problem =
  /** The request does not match the description. */
  | { readonly kind: 'badRequest'; readonly why: string }
  /** No operation has this method and path. */
  | { readonly kind: 'unknownOperation'; readonly why: string }
  /** The operation is described but not simulated. */
  | { readonly kind: 'notSimulated'; readonly why: string }
  | { readonly kind: 'unauthorized'; readonly reason: RejectedToken }
  /** The token has none of these scopes; one is required. */
  | { readonly kind: 'forbidden'; readonly needs: readonly string[] }
  /** Seconds. The Retry-After header is already set. */
  | { readonly kind: 'rateLimited'; readonly retryAfter: number }
  /** A bug of the simulator: a handler failed, or its response does not match the description. */
  | { readonly kind: 'broken'; readonly why: string };

/** One host of a provider, distinguished by path prefix. */
export interface Mount {
  /** `/api`, or `/api/2.0`: the prefix of the description's paths. The longest match wins. */
  readonly at: string;
  readonly description: Description;
  /** `GET /files/{id}` → its handler. Every key must be described. */
  readonly routes: Readonly<Record<string, Handler>>;
  /** `GET /files/{id}` → scopes of which one is required; `*` for every other operation. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /** Operations without authentication, or all of them. */
  readonly open?: readonly string[] | 'all';
  /** Whether a client's JSON may contain only described fields. Default: true. */
  readonly strictBodies?: boolean;
  /** Path parameters that may contain slashes. */
  readonly deep?: readonly string[];
  /** Maps a canonical path below `at` to a described one. */
  readonly rewrite?: (path: string) => string;
  /** Undescribed query parameters that the provider accepts everywhere. */
  readonly alsoQuery?: readonly string[];
  /** Undescribed statuses that the provider may send everywhere → the name of the JSON's schema, or null when it is free. */
  readonly alsoStatuses?: Readonly<Record<number, string | null>>;
}

/** A mount with everything derived from its description. */
export interface Host {
  readonly mount: Mount;
  readonly operations: Operations;
  readonly schemas: Schemas;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly open: ReadonlySet<string> | 'all';
}

/** What serving a request needs from the simulator. */
export interface House {
  readonly hosts: readonly Host[];
  readonly authenticate: ((incoming: IncomingMessage) => Identity | RejectedToken) | undefined;
  readonly refusal: (problem: Problem) => Reply;
  takeFault(key: string, line: string): Fault | undefined;
  admit(): number | undefined;
  violate(line: string, why: string): void;
}

export const pathOf = (incoming: IncomingMessage): string => incoming.url?.split('?')[0] ?? '/';

/** Prepares a mount. Throws when a key of its tables is not described. */
export function hostOf(mount: Mount): Host {
  const { at, description, routes, scopes = {}, open = [], strictBodies = true, deep } = mount;
  const operations = readOperations(description, deep);
  const keyOf = (key: string): string => {
    const operation = operations.named(key);
    if (!operation) throw new Error(`${at} has no operation ${key} in its description`);
    return operation.key;
  };
  return {
    mount,
    operations,
    schemas: createSchemas(description, { strict: strictBodies }),
    handlers: new Map(Object.entries(routes).map(([key, handler]) => [keyOf(key), handler])),
    scopes: new Map(Object.entries(scopes).map(([key, list]) => [key === '*' ? key : keyOf(key), list])),
    open: open === 'all' ? open : new Set(open.map(keyOf)),
  };
}
