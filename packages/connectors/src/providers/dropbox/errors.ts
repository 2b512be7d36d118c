import { ConnectorError, type ConnectorErrorKind } from '../../core/error.ts';
import type { HttpResponse } from '../../kit/http/http.ts';
import { refusalOf } from '../../kit/rest/refusal.ts';

/**
 * Error kinds by Dropbox tag; of a response's tags, outermost first, the first one listed here decides. Source: `/2/files` in the
 * provider's API description.
 */
const kindOfTag: Readonly<Record<string, ConnectorErrorKind>> = {
  access_restricted: 'forbidden',
  cant_copy_shared_folder: 'forbidden',
  cant_move_folder_into_itself: 'alreadyExists',
  cant_move_into_family: 'forbidden',
  cant_move_into_vault: 'forbidden',
  cant_move_shared_folder: 'forbidden',
  cant_nest_shared_folder: 'forbidden',
  cant_transfer_ownership: 'forbidden',
  concurrent_session_missing_data: 'interrupted',
  concurrent_session_not_closed: 'interrupted',
  conflict: 'alreadyExists',
  content_hash_mismatch: 'damaged',
  conversion_error: 'unsupported',
  disallowed_name: 'badName',
  duplicated_or_nested_paths: 'alreadyExists',
  encrypted_content: 'unsupported',
  encryption_not_supported: 'unsupported',
  file_ancestor: 'notAFolder',
  incorrect_offset: 'interrupted',
  insufficient_quota: 'full',
  insufficient_space: 'full',
  internal_error: 'unreachable',
  invalid_copy_reference: 'unsupported',
  invalid_revision: 'notFound',
  locked: 'forbidden',
  lookup_failed: 'interrupted',
  malformed_path: 'badName',
  no_permission: 'forbidden',
  no_write_permission: 'forbidden',
  non_exportable: 'unsupported',
  not_file: 'isAFolder',
  not_folder: 'notAFolder',
  not_found: 'notFound',
  operation_suppressed: 'forbidden',
  payload_too_large: 'full',
  restricted_content: 'forbidden',
  retry_error: 'rateLimited',
  team_folder: 'forbidden',
  too_large: 'full',
  too_many_files: 'full',
  too_many_write_operations: 'rateLimited',
  unsupported_content_type: 'unsupported',
  unsupported_extension: 'unsupported',
  unsupported_file: 'unsupported',
  unsupported_image: 'unsupported',
};

/** An expired cursor or session; reported in details.code, because the consequence depends on the caller. */
const ended: ReadonlySet<string> = new Set(['closed', 'reset']);

/** Maps an error response. */
export function dropboxError(response: HttpResponse, text: string): ConnectorError {
  const tags = tagsIn(text);
  const code = tags.join('/');
  // The API client reports a token that was rejected twice; here it expired during a body transfer.
  if (response.status === 401) return refusalOf(response, 'interrupted', code);
  if (response.status === 422) return refusalOf(response, 'forbidden', code);
  if (response.status !== 409) return refusalOf(response, undefined, code);
  const [first = ''] = tags;
  if (ended.has(first)) return new ConnectorError('interrupted', `Dropbox says ${first}`, { details: { code: first } });
  if (first === 'incorrect_offset') return wrongOffset(text);
  if (code === 'lookup_failed/not_found')
    return new ConnectorError('interrupted', 'Dropbox has no such session', { details: { code: 'gone' } });
  // A file in place of a parent folder differs from a name that is taken.
  const known = tags.includes('file_ancestor') ? 'file_ancestor' : tags.find((tag) => tag in kindOfTag);
  return refusalOf(response, kindOfTag[known ?? ''] ?? 'unexpected', code);
}

/** The error for a part that does not begin where the session ends; `details.code` contains that offset, as `at 8388608`. */
function wrongOffset(text: string): ConnectorError {
  const error = errorIn(text);
  const offset = isRecord(error) ? error['correct_offset'] : undefined;
  return new ConnectorError('interrupted', 'the session does not end there', { details: { code: `at ${String(offset)}` } });
}

/** Returns the tags of an error's union, outermost first: `path`, `conflict`, `file`. Empty for any other body. */
export function tagsIn(text: string): string[] {
  const tags: string[] = [];
  for (let value = errorIn(text); isRecord(value) && tags.length < 8;) {
    const tag = value['.tag'];
    if (typeof tag !== 'string' || !/^\w{1,60}$/.test(tag)) break;
    tags.push(tag);
    value = value[tag] ?? value['reason'];
  }
  return tags;
}

function errorIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body['error'] : undefined;
  } catch (error) {
    // Dropbox answers a malformed request in plain text.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
