import type { IncomingHttpHeaders } from 'node:http';
import type { Entry } from '@sheaf/connectors';
import { validatorsOf } from '#/files/bodies/validators.ts';
import type { Window } from '#/serving/programs/windows.ts';
import { pathOf } from './address.ts';
import { DavError } from './answers.ts';
import { type ConditionList, parseIf, tokensIn } from './state/if-header.ts';
import type { Locks } from './state/locks.ts';
import { type ItemTarget, type Target, entryAt, targetAt } from './targets.ts';

/** What a request has said about the state it expects. */
export interface Conditions {
  readonly tokens: ReadonlySet<string>;
}

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly window: Window;
  readonly target: Target;
  readonly hosts: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Evaluates the If header; throws 412 when none of its lists holds. */
export async function checkIf({ headers, window, target, hosts, signal }: Asked, locks: Locks): Promise<Conditions> {
  const header = headers['if'];
  if (typeof header !== 'string') return { tokens: new Set() };
  const lists = parseIf(header);
  const states = new Map<string, Promise<State>>();
  const stateOf = async (resource: string | undefined): Promise<State> => {
    const key = resource ?? '';
    const known = states.get(key);
    if (known) return known;
    const state = resource === undefined ? read(target) : readAt(resource);
    states.set(key, state);
    return state;
  };
  async function readAt(resource: string): Promise<State> {
    const path = pathOf(resource, hosts);
    if (path === undefined) return nothing;
    try {
      return await read(await targetAt(path, window));
    } catch (error) {
      if (error instanceof DavError) return nothing;
      throw error;
    }
  }
  const needsEtag = lists.some(({ conditions }) => conditions.some(({ etag }) => etag !== undefined));
  async function read(found: Target): Promise<State> {
    if (found.kind !== 'item') return nothing;
    const tokens = new Set((await locks.covering(found.at)).map(({ token }) => token));
    const entry = needsEtag ? await entryAt(found, signal) : undefined;
    return { tokens, etag: entry && validatorsOf(entry).etag };
  }
  for (const list of lists) if (holds(list, await stateOf(list.resource))) return { tokens: tokensIn(lists) };
  throw new DavError(412);
}

interface State {
  readonly tokens: ReadonlySet<string>;
  readonly etag: string | undefined;
}
const nothing: State = { tokens: new Set(), etag: undefined };

const holds = ({ conditions }: ConditionList, { tokens, etag }: State): boolean =>
  conditions.every(({ isNot, token, etag: wanted }) => {
    const isTrue = token !== undefined ? tokens.has(token) : wanted !== undefined && wanted.replace(/^W\//, '') === etag;
    return isTrue !== isNot;
  });

/**
 * Evaluates If-Match and If-None-Match (RFC 9110, section 13.1) of a change; throws 412. Returns the item's metadata if it had to be looked up, and
 * whether the item must not exist.
 */
export async function checkMatch(
  headers: IncomingHttpHeaders,
  target: ItemTarget,
  signal: AbortSignal,
): Promise<{ readonly entry?: Entry | undefined; readonly mustBeNew: boolean }> {
  const [match, noneMatch] = [headers['if-match'], headers['if-none-match']];
  if (match === undefined && noneMatch === undefined) return { mustBeNew: false };
  const entry = await entryAt(target, signal);
  const etag = entry && validatorsOf(entry).etag;
  const names = (header: string): boolean =>
    header.trim() === '*'
      ? entry !== undefined
      : header.split(',').some((tag) => etag !== undefined && tag.trim().replace(/^W\//, '') === etag);
  if (match !== undefined && !names(match)) throw new DavError(412);
  if (noneMatch !== undefined && names(noneMatch)) throw new DavError(412);
  return { entry, mustBeNew: noneMatch?.trim() === '*' };
}
