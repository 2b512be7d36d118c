import { type LinkDraft, type Source, appError, directoryStructures, secretMask } from '@sheaf/contract';
import { invalidField } from '#/links/connections/answers.ts';
import type { Family } from './families.ts';

export type Info = Readonly<Record<string, string>>;

/** Most characters of a key file, and of any other field: enough for every address or password, and a bound for quadratic algorithms. */
const longest = { key: 65_536, other: 4096 } as const;
const keys: ReadonlySet<string> = new Set(['keyfileContent', 'authjson', 'buckets']);

/**
 * The connection info of a call, as JSON or field by field; undefined without any. Throws INVALID_PARAMETER for JSON that is no object, for long
 * values, and for invalid text: NUL, which Postgres cannot store, and lone surrogates, which have no UTF-8 form.
 */
export function infoOf(family: Family, draft: LinkDraft): Info | undefined {
  const given = draft.connectionInfo === undefined ? draft : parsed(draft.connectionInfo);
  const info = Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => (family.fields.includes(field) ? [[field, textOf(value)] as const] : [])),
  );
  const isTooLong = (field: string, { length }: string): boolean => length > (keys.has(field) ? longest.key : longest.other);
  const isWrong = (field: string, value: string): boolean => isTooLong(field, value) || value.includes('\0') || !value.isWellFormed();
  const [wrong] = Object.entries(info).find(([field, value]) => isWrong(field, value)) ?? [];
  if (wrong !== undefined) throw invalidField(wrong);
  return draft.connectionInfo === undefined && Object.keys(info).length === 0 ? undefined : info;
}

function parsed(json: string): object {
  const wrong = (cause?: unknown) => appError('INVALID_PARAMETER', { field: 'connectionInfo' }, cause);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw wrong(error);
  }
  if (typeof value !== 'object' || value === null) throw wrong();
  return value;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

/** Replaces masks by the stored secrets. */
export const unmasked = (info: Info, stored: Info): Info =>
  Object.fromEntries(Object.entries(info).map(([field, value]) => [field, value === secretMask ? (stored[field] ?? '') : value]));

/** Replaces secrets by masks. */
export const masked = (info: Info, secrets: Info): Info => ({
  ...info,
  ...Object.fromEntries(Object.keys(secrets).map((field) => [field, secretMask])),
});

/** Splits connection info into a visible part and a sealed part. */
export function divided(info: Info, secretFields: readonly string[]): { open: Info; secrets: Info } {
  const entries = Object.entries(info);
  return {
    open: Object.fromEntries(entries.filter(([field]) => !secretFields.includes(field))),
    secrets: Object.fromEntries(entries.filter(([field, value]) => secretFields.includes(field) && value !== '')),
  };
}

/** The info with the fields that a link keeps; throws INVALID_PARAMETER when one of them was changed. */
export function withFixed(family: Family, info: Info, stored: Info): Info {
  const kept = Object.fromEntries(family.fixedFields.map((field) => [field, stored[field] ?? '']));
  const changed = family.fixedFields.find((field) => info[field] !== undefined && info[field] !== kept[field]);
  if (changed !== undefined) throw invalidField(changed);
  return { ...info, ...kept };
}

/** Fields that connectors compare without case. */
const caselessFields: ReadonlySet<string> = new Set(['accessType', 'authType', 'protocol']);

/** Throws INVALID_PARAMETER for a value that is not a choice of its field, unless the link has it already. */
export function refuseUnknownChoices({ choices }: Family, info: Info, stored: Info): void {
  const isUnknown = ([field, value]: [string, string]): boolean => {
    const known = choices[field];
    if (known === undefined || value === '' || value === stored[field]) return false;
    const spelled = (text: string): string => (caselessFields.has(field) ? text.toLowerCase() : text);
    return !known.some((choice) => spelled(choice) === spelled(value));
  };
  const [wrong] = Object.entries(info).find(isUnknown) ?? [];
  if (wrong !== undefined) throw invalidField(wrong);
}

/** The source type of a link; an object store's depends on its directory structure. */
export function sourceTypeOf({ sourceTypes, provider }: Source, info: Info): string {
  const [simple = provider, enhanced = simple] = sourceTypes;
  return info['directoryStructure'] === directoryStructures.enhanced ? enhanced : simple;
}

/** Fields that do not affect where and how secrets are sent. */
const harmlessFields: ReadonlySet<string> = new Set([
  'accessType',
  'account',
  'allowWrite',
  'buckets',
  'defaultStorageClass',
  'namePrefix',
  'numConcurrentConnections',
  'path',
]);

/** Fields filled in by a check or stored separately: dialogs omit them, and their absence is not a change. */
const completedFields: ReadonlySet<string> = new Set(['acceptedCertificate', 'acceptedHostKey', 'region', 's3Endpoint']);

/** Whether the info sends secrets elsewhere, or in another way, than before. A field not known to be harmless counts. */
export function isOtherWay(family: Family, before: Info, after: Info, secretFields: readonly string[]): boolean {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const same = (field: string): boolean => spelling(family, field, before[field]) === spelling(family, field, after[field]);
  return fields.some(
    (field) =>
      !secretFields.includes(field) &&
      !harmlessFields.has(field) &&
      !(field === 'destinationUrl' && isAtServer(after)) &&
      !(completedFields.has(field) && !after[field]) &&
      !same(field),
  );
}

/** Whether WebDAV's second address is on the same server: then nothing is sent elsewhere. */
function isAtServer({ server = '', destinationUrl = '' }: Info): boolean {
  const originOf = (address: string) => URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`)?.origin;
  return destinationUrl === '' || originOf(destinationUrl) === originOf(server);
}

const addressFields: ReadonlySet<string> = new Set(['server', 'host', 'url']);

/** Normal form for comparison: two spellings of one address are equal. */
function spelling({ defaultPort }: Family, field: string, value = ''): string {
  if (!addressFields.has(field)) return value;
  const bare = value.trim().toLowerCase().replace(/\/+$/, '');
  return defaultPort === undefined ? bare : bare.replace(new RegExp(`(?<=[^:]):${defaultPort}$`), '');
}

/** Whether the info leads to another server, so that stored facts about the old one are invalid. */
export const isOtherServer = (family: Family, before: Info, after: Info): boolean =>
  [...addressFields].some((field) => spelling(family, field, before[field]) !== spelling(family, field, after[field]));
