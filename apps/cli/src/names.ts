import { Failure } from './failure.ts';

const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The name under which an item of a source may lie in a local folder. Throws Failure for one that would lead out of it or that the
 * system cannot hold: names come from sources, and sources hold whatever others have put there.
 */
export function localName(name: string, platform: string = process.platform): string {
  const leadsElsewhere = name === '' || name === '.' || name === '..' || /[/\0]/.test(name);
  const isBadOnWindows = platform === 'win32' && (/[\\:*?"<>|]|[. ]$/.test(name) || reservedOnWindows.test(name));
  if (leadsElsewhere || isBadOnWindows) throw new Failure(`${printable(name)} cannot be the name of a file here.`);
  return name;
}

/** A name as it may be printed: control characters, which could steer a terminal, are shown as what they are. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
