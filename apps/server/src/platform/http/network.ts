import { isIP } from 'node:net';

/**
 * The network that a client's address stands for when tries are counted: an IPv6 address by its /64, which one customer has to itself (RFC 6177),
 * every other as it is.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return address;
  // The URL parser writes every notation in one way: hexadecimal groups, one run of zeros left out.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  const mapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return mapped ? groups.join(':') : `${groups.slice(0, 4).join(':')}::/64`;
}
