/** Cache lifetime of a folder's result in ms, for bursts such as the thumbnails of a page. */
const keptFor = 5000;

type Names = ReadonlySet<string>;

/** Returns which names of a folder are links; concurrent calls share one listing, the only reliable source on FTP servers. */
export function createLinkNames(list: (folder: string) => Promise<Names>, now: () => number = Date.now) {
  const asked = new Map<string, { readonly names: Promise<Names>; readonly until: number }>();
  return (folder: string): Promise<Names> => {
    for (const [old, { until }] of asked) if (until <= now()) asked.delete(old);
    const known = asked.get(folder);
    if (known) return known.names;
    const names = list(folder);
    asked.set(folder, { names, until: now() + keptFor });
    // A failure reaches current waiters and is not cached.
    names.catch(() => asked.delete(folder));
    return names;
  };
}
