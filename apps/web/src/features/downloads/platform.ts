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
