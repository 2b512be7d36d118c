/** Names of the folder that was visible last. */
let last: readonly string[] = [];

/** Records the visible folder; after going up, returns the name of the subfolder that was left. */
export function noteFolder(names: readonly string[]): string | undefined {
  const isUp = last.length > names.length && names.every((name, index) => last[index] === name);
  const left = isUp ? last[names.length] : undefined;
  last = names;
  return left;
}
