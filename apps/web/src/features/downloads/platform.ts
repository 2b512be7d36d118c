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

/** Script that installs the client with all it needs, at addresses that exist where its bundles are built. */
const installers: Readonly<Record<Platform, string>> = {
  mac: '/client/install.sh',
  linux: '/client/install.sh',
  win: '/client/install.ps1',
};

/** The line that installs the client with all it needs. */
export const installLine = (platform: Platform, origin: string): string =>
  platform === 'win' ? `irm ${origin}${installers.win} | iex` : `curl -fsSL ${origin}${installers[platform]} | sh`;

/** Milliseconds after which the package is offered instead. */
const patience = 3000;

/** Whether this Sheaf offers the client with all it needs; rejects when it does not answer in time. */
export const hasInstaller = async (platform: Platform): Promise<boolean> =>
  (await fetch(installers[platform], { method: 'HEAD', signal: AbortSignal.timeout(patience) })).ok;
