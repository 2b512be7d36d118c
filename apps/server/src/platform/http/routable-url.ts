/**
 * The target of a request as the router can read it. A path with bytes that are no UTF-8 leads nowhere, and whoever follows it is to see the same as on
 * every other way to nowhere: its percent signs are taken for themselves.
 */
export function routableUrl(target: string): string {
  if (!target.includes('%')) return target;
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return isReadable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isReadable(path: string): boolean {
  try {
    // The result is used: a bundler leaves out a call that it takes to be without effect.
    return decodeURIComponent(path) !== '';
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
