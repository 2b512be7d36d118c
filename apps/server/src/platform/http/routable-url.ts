/**
 * The target of a request in a form that the router can decode. In a path whose bytes are not UTF-8 it escapes the percent signs, so that the path is
 * answered like any other unknown one.
 */
export function routableUrl(target: string): string {
  if (!target.includes('%')) return target;
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return isReadable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length);
}

function isReadable(path: string): boolean {
  try {
    // Uses the result, because a bundler would drop a call without visible effect.
    return decodeURIComponent(path) !== '';
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
