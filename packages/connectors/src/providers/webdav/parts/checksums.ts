import type { HashName, Hashes } from '../../../core/hashes.ts';
import { type XmlElement, childText } from '../../../kit/xml/xml.ts';

const own = 'http://owncloud.org/ns';
/** The property in which ownCloud and Nextcloud report checksums. */
export const checksums = `<checksums xmlns="${own}"/>`;
const checksumNames: ReadonlyMap<string, HashName> = new Map([
  ['MD5', 'md5'],
  ['SHA1', 'sha1'],
  ['SHA256', 'sha256'],
]);

/** Parses `<oc:checksums><oc:checksum>SHA1:… MD5:… ADLER32:…</oc:checksum></oc:checksums>`. */
export function hashesIn(props: readonly XmlElement[]): Hashes | undefined {
  const sums = props.find(({ space, name }) => space === own && name === 'checksums');
  const text = sums && childText(sums, 'checksum', own);
  if (text === undefined) return undefined;
  const found = text.split(/\s+/).flatMap((sum) => {
    const [, type = '', value = ''] = /^(\w+):([0-9a-fA-F]+)$/.exec(sum) ?? [];
    const name = checksumNames.get(type.toUpperCase());
    return name ? [[name, value.toLowerCase()] as const] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
