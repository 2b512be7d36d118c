import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../errors.ts';
import { headerOf } from '../request.ts';

interface State {
  /** Without quotes; absent when there is no object. */
  readonly etag?: string;
  /** Epoch seconds. */
  readonly modified?: number | undefined;
}

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
const names = (header: string, { etag }: State): boolean => etag !== undefined && (header.trim() === '*' || tagsOf(header).includes(etag));
const secondsOf = (header: string | undefined): number => Date.parse(header ?? '') / 1000;

/** Whether the conditions name the client's copy, in the order of RFC 9110, section 13.2.2; `start` comes before the names of copy conditions. */
export function outcomeOf(headers: IncomingHttpHeaders, state: State, start = ''): 'holds' | 'fails' | 'unchanged' {
  const [match, noneMatch] = [headerOf(headers, `${start}if-match`), headerOf(headers, `${start}if-none-match`)];
  const modified = state.modified === undefined ? undefined : Math.trunc(state.modified);
  if (match !== undefined) {
    if (!names(match, state)) return 'fails';
  } else if (modified !== undefined && modified > secondsOf(headerOf(headers, `${start}if-unmodified-since`))) return 'fails';
  if (noneMatch !== undefined) return names(noneMatch, state) ? 'unchanged' : 'holds';
  return modified !== undefined && modified <= secondsOf(headerOf(headers, `${start}if-modified-since`)) ? 'unchanged' : 'holds';
}

/** For requests that change something: throws PreconditionFailed. */
export function mustHold(headers: IncomingHttpHeaders, state: State, start = ''): void {
  if (outcomeOf(headers, state, start) !== 'holds') throw new S3Error('PreconditionFailed');
}

export const asksWrite = (headers: IncomingHttpHeaders): boolean =>
  headers['if-match'] !== undefined || headers['if-none-match'] !== undefined;
