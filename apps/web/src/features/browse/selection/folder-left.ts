/** The folder in view last, by its names. */
let last: readonly string[] = [];

/** Notes which folder is in view, and tells the name of the one inside it that was left, when the way led up. */
export function noteFolder(names: readonly string[]): string | undefined {
  const isUp = last.length > names.length && names.every((name, index) => last[index] === name);
  const left = isUp ? last[names.length] : undefined;
  last = names;
  return left;
}
