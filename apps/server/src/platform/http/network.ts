import { isIP } from 'node:net';

/**
 * The network by which tries of a client are counted: an IPv6 address's /64, which belongs to one customer (RFC 6177); any other address unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return address;
  // The URL parser normalises every notation: hexadecimal groups, one run of zeros omitted.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return mapped ? groups.join(':') : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The host of an address; one of IPv6 without its brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
