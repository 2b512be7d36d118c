/** `-v2006-01-02-150405-000` before the extension: how rclone marks an old version of a file. */
const mark = /-v(\d{4})-(\d{2})-(\d{2})-(\d{2})(\d{2})(\d{2})-(\d{3})$/;

/** Splits a name into base, version and extension; undefined if it has no version, or the version is not a valid date. */
export function versionOf(name: string): { readonly name: string; readonly version: string } | undefined {
  if (!name.includes('-v')) return undefined;
  const { base, extension } = split(name);
  const found = mark.exec(base);
  if (!found) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return isDate ? { name: base.slice(0, found.index) + extension, version: found[0] } : undefined;
}

export function withVersion(name: string, version: string): string {
  const { base, extension } = split(name);
  return base + version + extension;
}

/** The extension starts at the last dot, except for a dot at the start of the name. */
function split(name: string): { base: string; extension: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { base: name, extension: '' } : { base: name.slice(0, dot), extension: name.slice(dot) };
}
