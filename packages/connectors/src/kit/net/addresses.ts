import { BlockList, isIP } from 'node:net';

/** Private addresses that links may use: `allow`, `deny`, or only these CIDR blocks. */
export type PrivateNetworks = 'allow' | 'deny' | readonly string[];

const cidr = (list: BlockList, block: string): BlockList => {
  const [address = '', prefix] = block.split('/');
  // Not isIP: Node compiles its pattern of IPv6 addresses at the first use, 5 ms of each start.
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  return list;
};
const blockList = (blocks: readonly string[]): BlockList => blocks.reduce(cidr, new BlockList());

/**
 * Always refused: link-local (cloud metadata), unspecified, multicast, broadcast and IPv4-compatible addresses (RFC 6890; RFC 4291, section
 * 2.5.5.1). Omits `::ffff:0:0/96`, because Node matches every IPv4 address with it; such an address is checked as its IPv4 address.
 */
const forbidden = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
]);
/**
 * Loopback, private, shared and site-local addresses (RFC 1918, 4193, 6598, 3879), benchmarking addresses and translations to them (RFC
 * 2544, 6052, 8215).
 */
const privateBlocks = blockList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '198.18.0.0/15',
  '192.0.0.0/24',
  '::1/128',
  'fc00::/7',
  'fec0::/10',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
]);

/**
 * Returns the check of resolved addresses. Checks an IPv4-mapped address as the IPv4 address, and a translated one (NAT64, 6to4) as both: a
 * translator must not lead to a refused IPv4 address. Refuses anything but a plain IP address.
 */
export function addressRule(networks: PrivateNetworks): (address: string) => boolean {
  const allowed = typeof networks === 'string' ? undefined : blockList(networks);
  const mayReach = (address: string): boolean => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (address !== '::1' && forbidden.check(address, family)) return false;
    if (!privateBlocks.check(address, family)) return true;
    return networks === 'allow' || (allowed?.check(address, family) ?? false);
  };
  return (address) => {
    const groups = groupsOf(address);
    if (groups === undefined) return isIP(address) === 4 && mayReach(address);
    const mapped = embedded(groups, [0, 0, 0, 0, 0, 0xffff], 6);
    if (mapped !== undefined) return mayReach(mapped);
    const translated = embedded(groups, [0x64, 0xff9b, 0, 0, 0, 0], 6) ?? embedded(groups, [0x2002], 1);
    return mayReach(canonical(groups)) && (translated === undefined || !forbidden.check(translated, 'ipv4'));
  };
}

/** Returns the eight 16-bit groups of an IPv6 address in any notation; undefined for anything else, and for an address with a zone. */
function groupsOf(address: string): readonly number[] | undefined {
  if (isIP(address) !== 6 || !URL.canParse(`http://[${address}]`)) return undefined;
  // The URL parser writes every notation, including dotted ends, as hexadecimal groups (WHATWG URL, "IPv6 serializer").
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parse = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [left, right] = [parse(head), parse(tail ?? '')];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

const canonical = (groups: readonly number[]): string =>
  new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1);

/** Returns the IPv4 address in the two groups from `at` of an address with that prefix; undefined for another prefix. */
function embedded(groups: readonly number[], prefix: readonly number[], at: number): string | undefined {
  if (prefix.some((group, index) => groups[index] !== group)) return undefined;
  const [high = 0, low = 0] = [groups[at], groups[at + 1]];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
