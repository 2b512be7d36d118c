import { BlockList, isIP } from 'node:net';

/** Whether an address is in one of these CIDR blocks or addresses; IPv4 addresses in IPv6 notation count as what they are. */
export function createPeers(blocks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = '', bits] = block.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return (address = '') => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
