import { type Source, appError, forbiddenInNames, isBlank, limits } from '@sheaf/contract';

/** What makes two names the same. */
export const nameKeyOf = (name: string): string => name.normalize('NFC').toLowerCase();

/** A call may write the name either way. */
interface Names {
  readonly linkName?: string | undefined;
  readonly serverName?: string | undefined;
}

/** The name a call gives, or undefined when it leaves the name as it is. Throws INVALID_NAME, NAME_TOO_LONG, and INVALID_PARAMETER for a blank name. */
export function givenName({ linkName, serverName }: Names): string | undefined {
  const typed = linkName ?? serverName ?? '';
  if (typed === '') return undefined;
  if (isBlank(typed)) throw appError('INVALID_PARAMETER', { field: 'the name' });
  const name = typed.trim();
  // In an address these two mean another page: nobody could open such a link.
  const isForbidden =
    name === '.' || name === '..' || /\p{Cc}/u.test(name) || forbiddenInNames.some((character) => name.includes(character));
  if (isForbidden || !name.isWellFormed()) throw appError('INVALID_NAME', {});
  const { max } = limits.nameLength;
  if (name.length > max) throw appError('NAME_TOO_LONG', { length: String(max) });
  return name;
}

const defaultNameOf = ({ defaultName, title }: Source): string => defaultName ?? `My ${title}`;

/** The source's default name, numbered when it is taken: "My SFTP Server 2". `taken` holds name keys. */
export const freeName = (source: Source, taken: ReadonlySet<string>): string => numberedFree(defaultNameOf(source), taken);

/** `name`, or the first "name 2" that is free. `taken` holds name keys. */
export function numberedFree(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(nameKeyOf(candidate))) return candidate;
  }
}
