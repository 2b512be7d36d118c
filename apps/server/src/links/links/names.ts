import { type Source, appError, forbiddenInNames, isBlank, limits } from '@sheaf/contract';

/** Key by which names are compared. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase();

/** A call may use either field for the name. */
interface Names {
  readonly linkName?: string | undefined;
  readonly serverName?: string | undefined;
}

/** The name of a call, or undefined when it stays unchanged. Throws INVALID_NAME, NAME_TOO_LONG, and INVALID_PARAMETER for a blank name. */
export function givenName({ linkName, serverName }: Names): string | undefined {
  const typed = linkName ?? serverName ?? '';
  if (typed === '') return undefined;
  if (isBlank(typed)) throw appError('INVALID_PARAMETER', { field: 'name' });
  const name = typed.trim();
  // In an address these two mean another page: such a link could not be opened.
  const isForbidden =
    name === '.' || name === '..' || /\p{Cc}/u.test(name) || forbiddenInNames.some((character) => name.includes(character));
  if (isForbidden || !name.isWellFormed()) throw appError('INVALID_NAME', {});
  const { max } = limits.nameLength;
  if (name.length > max) throw appError('NAME_TOO_LONG', { length: String(max) });
  return name;
}

const defaultNameOf = ({ defaultName, title }: Source): string => defaultName ?? `My ${title}`;

/** The source's default name, numbered when it is taken: "My SFTP Server 2". `taken` contains name keys. */
export const freeName = (source: Source, taken: ReadonlySet<string>): string => numberedFree(defaultNameOf(source), taken);

/** `name`, or the first free "name 2". `taken` contains name keys. */
export function numberedFree(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(nameKeyOf(candidate))) return candidate;
  }
}
