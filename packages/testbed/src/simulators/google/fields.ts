import { refuseWith } from './refusals.ts';

/** A field mask: names, each with a nested mask, or true for the whole value. */
type Mask = ReadonlyMap<string, Mask | true>;

/** Parses a mask such as `nextPageToken,files(id,owners/emailAddress)`: https://developers.google.com/drive/api/guides/fields-parameter */
function readMask(text: string): Mask {
  let at = 0;
  const fail = (): never => refuseWith(400, 'invalidParameter', `Invalid field selection ${text.slice(at)}`);

  function readList(): Mask {
    const mask = new Map<string, Mask | true>();
    for (;;) {
      const [name, inner] = readOne();
      mask.set(name, inner);
      if (text[at] !== ',') return mask;
      at += 1;
    }
  }

  function readOne(): readonly [string, Mask | true] {
    const name = /^(\w+|\*)/.exec(text.slice(at))?.[0] ?? fail();
    at += name.length;
    if (text[at] === '/') {
      at += 1;
      return [name, new Map([readOne()])];
    }
    if (text[at] !== '(') return [name, true];
    at += 1;
    const inner = readList();
    if (text[at] !== ')') fail();
    at += 1;
    return [name, inner];
  }

  const mask = readList();
  return at === text.length ? mask : fail();
}

/** Applies a mask to a value; refuses a malformed mask. */
export function masked(value: unknown, text: string): unknown {
  return apply(value, readMask(text.replaceAll(' ', '')));
}

function apply(value: unknown, mask: Mask): unknown {
  if (Array.isArray(value)) return value.map((item) => apply(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const all = mask.get('*');
  const kept = Object.entries(value).flatMap(([name, inner]) => {
    const inside = mask.get(name) ?? all;
    return inside === undefined ? [] : [[name, inside === true ? inner : apply(inner, inside)] as const];
  });
  return Object.fromEntries(kept);
}
