import type { IncomingMessage } from 'node:http';
import type { Description } from './description/description.ts';
import { type Operations, readOperations } from './description/operations.ts';
import { type Schemas, createSchemas } from './description/schemas.ts';
import type { Fault } from './faults.ts';
import type { Identity, RejectedToken } from './identity.ts';
import type { Reply } from './reply.ts';
import type { Handler } from './request.ts';

/** Why the kit itself answers, to be said in the provider's words. */
export type Problem =
  /** The request is not as described. */
  | { readonly kind: 'badRequest'; readonly why: string }
  /** No operation has this method and path. */
  | { readonly kind: 'unknownOperation'; readonly why: string }
  /** The operation is described and the simulator does not have it. */
  | { readonly kind: 'notSimulated'; readonly why: string }
  | { readonly kind: 'unauthorized'; readonly reason: RejectedToken }
  /** The token lacks every one of these scopes, and one is needed. */
  | { readonly kind: 'forbidden'; readonly needs: readonly string[] }
  /** Seconds. The header Retry-After is set already. */
  | { readonly kind: 'rateLimited'; readonly retryAfter: number }
  /** The simulator is at fault: a handler failed, or its answer is not as described. */
  | { readonly kind: 'broken'; readonly why: string };

/** One host of a provider, told apart by the beginning of the path. */
export interface Mount {
  /** `/api`, or `/api/2.0`: what stands before the paths of the description. Of two that fit the longer is taken. */
  readonly at: string;
  readonly description: Description;
  /** `GET /files/{id}` → what it does. Every key must be described. */
  readonly routes: Readonly<Record<string, Handler>>;
  /** `GET /files/{id}` → scopes of which one is needed; `*` for every other operation. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /** Operations that need no token, or all of them. */
  readonly open?: readonly string[] | 'all';
  /** Whether a client's JSON may hold only what the description names. Preset: true. */
  readonly strictBodies?: boolean;
  /** Path parameters that may hold slashes. */
  readonly deep?: readonly string[];
  /** Turns a canonical path below `at` into one that the description has. */
  readonly rewrite?: (path: string) => string;
  /** Query parameters that the provider takes everywhere beside the described. */
  readonly alsoQuery?: readonly string[];
  /** Statuses that the provider answers everywhere beside the described → the name of the JSON's schema, or null when it is free. */
  readonly alsoStatuses?: Readonly<Record<number, string | null>>;
}

/** A mount with everything made from its description. */
export interface Host {
  readonly mount: Mount;
  readonly operations: Operations;
  readonly schemas: Schemas;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly open: ReadonlySet<string> | 'all';
}

/** What serving one request needs to know of the simulator. */
export interface House {
  readonly hosts: readonly Host[];
  readonly authenticate: ((incoming: IncomingMessage) => Identity | RejectedToken) | undefined;
  readonly refusal: (problem: Problem) => Reply;
  takeFault(key: string, line: string): Fault | undefined;
  admit(): number | undefined;
  violate(line: string, why: string): void;
}

export const pathOf = (incoming: IncomingMessage): string => incoming.url?.split('?')[0] ?? '/';

/** Makes what a mount needs. Throws when a key of its tables is not described. */
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
