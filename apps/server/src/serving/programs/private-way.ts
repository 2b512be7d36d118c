import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether nobody on the way can read a password: https, also in front of us by the public address, or this machine. */
export function isPrivateWay({ protocol, ip, server }: Request): boolean {
  if (protocol === 'https' || server.publicOrigin.startsWith('https:')) return true;
  const address = ip.replace(/^::ffff:/, '');
  return isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** A request, as far as it matters here. */
interface Request {
  readonly protocol: string;
  readonly ip: string;
  readonly server: { readonly publicOrigin: string };
}
