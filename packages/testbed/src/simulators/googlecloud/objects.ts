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
  /** When it was replaced or deleted: it is noncurrent. */
  readonly deleted?: number;
  /** Composed of other objects: has no MD5. */
  readonly isComposed: boolean;
}

export interface Bucket {
  readonly name: string;
  /** E-mail addresses of the users with access. */
  readonly members: readonly string[];
  readonly objects: ObjectTable;
  /** Object Versioning is on. */
  readonly versioned: boolean;
}

/** Objects by name, ordered by the bytes of their names. A `versioned` table keeps those that are replaced and deleted as noncurrent generations. */
export function createObjectTable(versioned: boolean) {
  const objects = new Map<string, CloudObject>();
  const noncurrent = new Map<string, CloudObject[]>();
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

  function keep(name: string, deleted: number): void {
    const object = objects.get(name);
    if (object && versioned) noncurrent.set(name, [...(noncurrent.get(name) ?? []), { ...object, deleted }]);
  }

  /** All generations of one name, the oldest first. */
  function generationsOf(name: string): readonly CloudObject[] {
    const current = objects.get(name);
    return [...(noncurrent.get(name) ?? []), ...(current ? [current] : [])];
  }

  return {
    get: (name: string) => objects.get(name),
    /** A generation, current or not. */
    generation: (name: string, generation: string) => generationsOf(name).find((one) => one.generation === generation),
    set(object: CloudObject): void {
      keep(object.name, object.created);
      const bytes = Buffer.from(object.name);
      if (!objects.has(object.name)) order.splice(placeOf(bytes), 0, { name: object.name, bytes });
      objects.set(object.name, object);
    },
    /** Ends the present object, at that time in epoch ms. */
    delete(name: string, at: number): void {
      keep(name, at);
      if (objects.delete(name)) order.splice(placeOf(Buffer.from(name)), 1);
    },
    /** Deletes a noncurrent generation for good. */
    forget(name: string, generation: string): void {
      const rest = (noncurrent.get(name) ?? []).filter((one) => one.generation !== generation);
      noncurrent.set(name, rest);
    },
    /** One page of all generations, by name and the oldest first; `after` is the place at which the page before ended. */
    pageOfGenerations({ prefix, from, after, size }: { prefix: string; from: string; after: number; size: number }) {
      const names = [...new Set([...objects.keys(), ...noncurrent.keys()])].filter((name) => name.startsWith(prefix));
      const wanted = names
        .map((name) => ({ name, bytes: Buffer.from(name) }))
        .filter(({ bytes }) => Buffer.compare(bytes, Buffer.from(from)) >= 0);
      const all = wanted.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).flatMap(({ name }) => generationsOf(name));
      return { items: all.slice(after, after + size), ...(after + size < all.length && { next: after + size }) };
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
