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
  /** Made of several others: has no MD5. */
  readonly isComposed: boolean;
}

export interface Bucket {
  readonly name: string;
  /** E-mail addresses of those who may use it. */
  readonly members: readonly string[];
  readonly objects: ObjectTable;
}

/** Objects by name, in the order of their names' bytes. */
export function createObjectTable() {
  const objects = new Map<string, CloudObject>();
  const order: { readonly name: string; readonly bytes: Buffer }[] = [];

  /** Where the bytes stand, or would. */
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
    /** One page: objects below the prefix, names cut at the delimiter, and where the next page begins. */
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
        // The last page ended with this name, or with all that begin with it.
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
