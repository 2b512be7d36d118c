/** The bucket for clients that cannot put a path before the bucket: each link is a folder in it. */
export const rootBucket = 'sheaf';

/** A link or Space, by the name of its bucket. */
export interface Bucket {
  readonly name: string;
  readonly userLinkId: string;
}

interface Named {
  readonly userLinkId: string;
  readonly name: string;
}

const shortest = 3;
const longest = 63;
const markLength = 6;

/** A name in lower-case letters of ASCII, digits and hyphens: accents are left out, everything else becomes a hyphen. */
function plainOf(name: string): string {
  const folded = name.replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
}

const markOf = (userLinkId: string): string =>
  userLinkId
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, markLength);

/** The name followed by the mark of its link's id, which makes it unique. */
function markedOf({ name, userLinkId }: Named): string {
  const mark = markOf(userLinkId);
  const plain = plainOf(name)
    .slice(0, longest - mark.length - 1)
    .replace(/-+$/, '');
  return plain === '' ? `link-${mark}` : `${plain}-${mark}`;
}

/**
 * Names of buckets as S3 allows them: 3 to 63 lower-case letters, digits and hyphens. A name that two links would share belongs to the one that is
 * called exactly so; without one each gets the mark of its id. So a new link never takes over the bucket of another.
 */
export function bucketsOf(places: readonly Named[]): Bucket[] {
  const wanted = places.map((place) => ({ place, plain: plainOf(place.name) }));
  const isFree = ({ place, plain }: (typeof wanted)[number]): boolean => {
    if (plain.length < shortest || plain === rootBucket) return false;
    const rivals = wanted.filter((other) => other.plain === plain && other.place.userLinkId !== place.userLinkId);
    return rivals.length === 0 || (place.name === plain && rivals.every((other) => other.place.name !== plain));
  };
  return wanted.map((one) => ({ userLinkId: one.place.userLinkId, name: isFree(one) ? one.plain : markedOf(one.place) }));
}

/** The bucket with that name; the name with the mark is always accepted. */
export function findBucket(places: readonly Named[], name: string): Bucket | undefined {
  const all = bucketsOf(places);
  const exact = all.find((bucket) => bucket.name === name);
  if (exact) return exact;
  const marked = places.filter((place) => markedOf(place) === name);
  const [only] = marked;
  return marked.length === 1 && only ? { name, userLinkId: only.userLinkId } : undefined;
}
