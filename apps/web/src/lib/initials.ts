/** One or two letters for a person: of the first and the last word of the name. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) =>
      String.fromCodePoint(word?.codePointAt(0) ?? 0x20)
        .trim()
        .toUpperCase(),
    )
    .join('');
}
