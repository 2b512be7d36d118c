import type { Content } from '../kit/index.ts';

export type CloudContent = Content<'md5' | 'crc32c'>;

/** One object as it is stored. */
export interface CloudObject {
  readonly name: string;
  readonly content: CloudContent;
  readonly contentType: string;
  readonly contentEncoding?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly generation: string;
  readonly created: number;
  /** Composed of other objects: has no MD5. */
  readonly isComposed: boolean;
}

export interface Bucket {
  readonly name: string;
  /** E-mail addresses of the users with access. */
  readonly members: readonly string[];
  readonly objects: ObjectTable;
}

/** Objects by name, ordered by the bytes of their names. */
export function createObjectTable() {
  const objects = new Map<string, CloudObject>();
  const order: { readonly name: string; readonly bytes: Buffer }[] = [];

  /** Returns the index of the bytes, or where they would be inserted. */
  function placeOf(bytes: Buffer): number {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(order[middle]?.bytes ?? bytes, bytes) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get: (name: string) => objects.get(name),
    set(object: CloudObject): void {
      const bytes = Buffer.from(object.name);
      if (!objects.has(object.name)) order.splice(placeOf(bytes), 0, { name: object.name, bytes });
      objects.set(object.name, object);
    },
    delete(name: string): void {
      if (objects.delete(name)) order.splice(placeOf(Buffer.from(name)), 1);
    },
    names: (): string[] => order.map(({ name }) => name),
    /** Returns one page: objects below the prefix, common prefixes, and the start of the next page. */
    page({ prefix, delimiter, after, size }: { prefix: string; delimiter: string; after: string | undefined; size: number }) {
      const items: CloudObject[] = [];
      const prefixes: string[] = [];
      let last = '';
      for (let at = placeOf(Buffer.from(after ?? prefix)); at < order.length; at++) {
        const { name = '' } = order[at] ?? {};
        if (!name.startsWith(prefix)) {
          if (Buffer.compare(Buffer.from(name), Buffer.from(prefix)) > 0) break;
          continue;
        }
        // Skips the name, or all names with the common prefix, at which the previous page ended.
        if (after !== undefined && (name === after || (delimiter !== '' && after.endsWith(delimiter) && name.startsWith(after)))) continue;
        const cut = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length);
        const shared = cut < 0 ? undefined : name.slice(0, cut + delimiter.length);
        if (shared !== undefined && prefixes.at(-1) === shared) continue;
        if (items.length + prefixes.length >= size) return { items, prefixes, next: last };
        last = shared ?? name;
        const object = objects.get(name);
        if (shared !== undefined) prefixes.push(shared);
        else if (object) items.push(object);
      }
      return { items, prefixes };
    },
  };
}
export type ObjectTable = ReturnType<typeof createObjectTable>;
