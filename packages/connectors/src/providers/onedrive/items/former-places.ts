/** Maximum remembered items. */
const most = 20_000;

/**
 * Former paths of items that this link itself moved or deleted: the service's changes contain ids only, and a deleted item's path cannot be
 * requested. Entries are removed once reported.
 */
export function createFormerPlaces() {
  const places = new Map<string, string[]>();
  return {
    add(id: string, path: string): void {
      if (places.size >= most) places.clear();
      places.set(id, [...(places.get(id) ?? []), path]);
    },
    take(id: string): readonly string[] {
      const found = places.get(id) ?? [];
      places.delete(id);
      return found;
    },
  };
}
export type FormerPlaces = ReturnType<typeof createFormerPlaces>;
