const browsers: readonly [pattern: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Describes a browser in a few words by which its user recognises it. */
export function describeDevice(userAgent: string): { readonly name: string; readonly isPhone: boolean } {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [browser, system].filter((part) => part !== undefined).join(' on ');
  return { name: known === '' ? userAgent.slice(0, 60) || 'Unknown client' : known, isPhone: /iPhone|Android.*Mobile/.test(userAgent) };
}
