import { type ClientSystem, clientOffer } from '@sheaf/contract';
import { queryOptions } from '@tanstack/react-query';
import { send } from '#/lib/http/send.ts';

/** Computers that the client runs on. */
export const platforms = { mac: 'Mac', win: 'Windows', linux: 'Linux' } as const;
export type Platform = keyof typeof platforms;

/** Mac or Windows according to the browser; tablets and phones that identify themselves as a Mac do not count. */
export function detectPlatform(userAgent: string, touchPoints: number): 'mac' | 'win' | undefined {
  if (/Windows NT/.test(userAgent)) return 'win';
  return /Macintosh/.test(userAgent) && touchPoints === 0 ? 'mac' : undefined;
}

/** Address of the package. */
export const packageAddress = (platform: Platform): string => `/downloaddesktop?platform=${platform}`;

/** The line that installs the client with all it needs, where this Sheaf offers it. */
export const installLine = (platform: Platform, origin: string): string =>
  platform === 'win' ? `irm ${origin}/client/install.ps1 | iex` : `curl -fsSL ${origin}/client/install.sh | sh`;

const systems: Readonly<Record<Platform, ClientSystem>> = { mac: 'darwin', win: 'win32', linux: 'linux' };

/** Platforms for which this Sheaf offers the client with all it needs. */
export const offered = queryOptions({
  queryKey: ['clientOffer'],
  queryFn: async ({ signal }): Promise<readonly Platform[]> => {
    const { systems: there } = await send(clientOffer, {}, signal);
    return (['mac', 'win', 'linux'] as const).filter((platform) => there.includes(systems[platform]));
  },
});
