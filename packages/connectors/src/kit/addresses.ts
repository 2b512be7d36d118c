import { BlockList, isIP } from 'node:net';

/** Which private addresses links may point at: `allow`, `deny`, or these CIDR blocks only. */
export type PrivateNetworks = 'allow' | 'deny' | readonly string[];

const cidr = (list: BlockList, block: string): BlockList => {
  const [address = '', prefix] = block.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  return list;
};
const blockList = (blocks: readonly string[]): BlockList => blocks.reduce(cidr, new BlockList());

/** Never, whatever the setting: link-local (cloud metadata lives there), unspecified, multicast and broadcast addresses (RFC 6890). */
const forbidden = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  '100.100.100.200/32',
]);
/** Loopback, private and shared addresses (RFC 1918, 4193, 6598), benchmarks and translations that lead to them (RFC 2544, 6052). */
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
  '64:ff9b::/96',
  '2002::/16',
  '2001::/32',
]);

/** Judges resolved addresses by the rule; an IPv4 address in IPv6 clothes is judged as the IPv4 address. */
export function addressRule(networks: PrivateNetworks): (address: string) => boolean {
  const allowed = typeof networks === 'string' ? undefined : blockList(networks);
  return (address) => {
    const plain = unmapped(address);
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(plain) === 0 || forbidden.check(plain, family)) return false;
    if (!privateBlocks.check(plain, family)) return true;
    return networks === 'allow' || (allowed?.check(plain, family) ?? false);
  };
}

function unmapped(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (dotted?.[1]) return dotted[1];
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (!hex?.[1] || !hex[2]) return address;
  const [high, low] = [Number.parseInt(hex[1], 16), Number.parseInt(hex[2], 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
