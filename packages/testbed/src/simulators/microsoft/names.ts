import { invalidRequest } from './replies.ts';

const forbidden = /["*:<>?/\\|\p{Cc}]/u;
const reserved = /^(?:\.lock|con|prn|aux|nul|com[0-9]|lpt[0-9]|desktop\.ini)$/i;
/** Maximum characters of a name, and of a whole path. */
const [longestName, longestPath] = [255, 400];

/** Refuses names that OneDrive and SharePoint refuse; `above` is the path of the folder. */
export function checkName(name: string, above: string): void {
  const isBad =
    name === '' ||
    forbidden.test(name) ||
    /^[\s~]/.test(name) ||
    /[\s.]$/.test(name) ||
    reserved.test(name) ||
    name.toLowerCase().includes('_vti_');
  if (isBad || name.length > longestName) throw invalidRequest('The provided name cannot be used.', 'invalidPath');
  if (above.length + 1 + name.length > longestPath) throw invalidRequest('The path exceeds the maximum length.', 'pathIsTooLong');
}

/** Names that are equal after this conversion conflict. */
export const folded = (name: string): string => name.toLowerCase();
