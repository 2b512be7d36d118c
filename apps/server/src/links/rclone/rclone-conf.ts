import { appError, rcloneLimits } from '@sheaf/contract';

/** A section of an rclone.conf. */
export interface Section {
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
  /** Comment lines above it. */
  readonly comments?: readonly string[];
}

/** Parses a configuration as rclone does. Throws RCLONE_ENCRYPTED, RCLONE_TOO_LARGE, RCLONE_UNREADABLE. */
export function readConf(text: string): Section[] {
  if (text.length > rcloneLimits.characters) throw tooLarge();
  // The second is the first line written by `rclone config encryption` and the wizard. Matches blanks but no line breaks, which would be scanned
  // again from every line.
  if (/^[ \t]*RCLONE_ENCRYPT_V\d+:/m.test(text) || /^# Encrypted rclone configuration File/m.test(text))
    throw appError('RCLONE_ENCRYPTED', {});
  const sections = new Map<string, Record<string, string>>();
  let current: Record<string, string> | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    const name = /^\[(.+)\]$/.exec(trimmed)?.[1]?.trim();
    if (name !== undefined) {
      current = sections.get(name) ?? Object.create(null);
      if (current) sections.set(name, current);
      continue;
    }
    const [, option, value] = /^([^=:]+)[=:](.*)$/.exec(trimmed) ?? [];
    if (current === undefined || option === undefined || value === undefined) throw appError('RCLONE_UNREADABLE', {});
    current[option.trim()] = unquoted(value.trim());
  }
  if (sections.size === 0) throw appError('RCLONE_UNREADABLE', {});
  if (sections.size > rcloneLimits.remotes) throw tooLarge();
  return [...sections].map(([name, options]) => ({ name, options }));
}

/** Writes a configuration; joins comments and values that span lines. */
export function writeConf(sections: readonly Section[], heading: readonly string[]): string {
  const parts = sections.map(({ name, options, comments = [] }) => {
    const lines = Object.entries(options).map(([option, value]) => `${option} = ${quoted(value)}`);
    return [...comments.map(comment), `[${name}]`, ...lines].join('\n');
  });
  return `${[heading.map(comment).join('\n'), ...parts].join('\n\n')}\n`;
}

/** A comment in place of a section that cannot be written. */
export const comment = (text: string): string => `# ${oneLine(text)}`;

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** rclone strips backticks around a value and takes the text between them literally. */
function quoted(value: string): string {
  const line = oneLine(value);
  return /^["`]|^\s|\s$/.test(line) ? `\`${line}\`` : line;
}

function unquoted(value: string): string {
  const [, inner] = /^`(.*)`[^`]*$/.exec(value) ?? /^"""(.*)"""$/.exec(value) ?? [];
  return inner ?? value;
}

const tooLarge = () =>
  appError('RCLONE_TOO_LARGE', {
    characters: rcloneLimits.characters.toLocaleString('en'),
    remotes: String(rcloneLimits.remotes),
  });
