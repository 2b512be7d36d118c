/** Items whose former places are kept. */
const most = 20_000;

/**
 * Where items were before this link itself moved or deleted them: the service's log of changes tells ids only, and what is gone cannot be asked where it was.
 * Kept until it was told once.
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
