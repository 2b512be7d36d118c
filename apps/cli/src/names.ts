import { Failure } from './failure.ts';

const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The local name of a source's item. Throws Failure for one that would leave the folder or that the system cannot store: names come from sources and
 * may be hostile.
 */
export function localName(name: string, platform: string = process.platform): string {
  const leadsElsewhere = name === '' || name === '.' || name === '..' || /[/\0]/.test(name);
  const isBadOnWindows = platform === 'win32' && (/[\\:*?"<>|]|[. ]$/.test(name) || reservedOnWindows.test(name));
  if (leadsElsewhere || isBadOnWindows) throw new Failure(`${printable(name)} cannot be the name of a file here.`);
  return name;
}

/** A name for printing: shows control characters, which could control a terminal, as escapes. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
