/** ms for which a folder's answer serves further questions, as when the pictures of a whole page are asked for. */
const keptFor = 5000;

type Names = ReadonlySet<string>;

/** Tells which names of a folder are links; of many who ask at about the same time, one makes the listing that only FTP servers tell it by. */
export function createLinkNames(list: (folder: string) => Promise<Names>, now: () => number = Date.now) {
  const asked = new Map<string, { readonly names: Promise<Names>; readonly until: number }>();
  return (folder: string): Promise<Names> => {
    for (const [old, { until }] of asked) if (until <= now()) asked.delete(old);
    const known = asked.get(folder);
    if (known) return known.names;
    const names = list(folder);
    asked.set(folder, { names, until: now() + keptFor });
    // A failure is told to those who wait, not to those who come later.
    names.catch(() => asked.delete(folder));
    return names;
  };
}
