import { escapeXml } from '@sheaf/connectors';
import { hrefOf } from './address.ts';
import { type DavAnswer, DavError, xmlHead } from './answers.ts';
import { emptyElement, isLive, propstat } from './properties.ts';
import type { PropertyChange, PropertyStore } from './state/property-store.ts';
import { type ItemTarget, entryAt } from './targets.ts';
import { type XmlNode, elementsOf, isDav, parseXml, writeXml } from './xml-tree.ts';

/** The changes that a PROPPATCH's body asks for, in its order; throws 400 for any other body. */
function changesIn(body: string): PropertyChange[] {
  const root = parseXml(body);
  if (!isDav(root, 'propertyupdate')) throw new DavError(400);
  return elementsOf(root).flatMap((step) => {
    const isSet = isDav(step, 'set');
    if (!isSet && !isDav(step, 'remove')) return [];
    const props = elementsOf(step).filter((node) => isDav(node, 'prop'));
    return props.flatMap(elementsOf).map((node: XmlNode) => ({
      space: node.space,
      name: node.name,
      ...(isSet && { value: writeXml(node) }),
    }));
  });
}

/**
 * PROPPATCH (RFC 4918, section 9.2): sets and removes dead properties, all or none. Those that we know ourselves cannot be changed: sources take a file's
 * time only with its bytes (X-OC-Mtime).
 */
export async function proppatch(target: ItemTarget, body: string, properties: PropertyStore, signal: AbortSignal): Promise<DavAnswer> {
  const changes = changesIn(body);
  const entry = await entryAt(target, signal);
  if (!entry) throw new DavError(404);
  const refused = changes.filter(isLive);
  const { linkId, path } = target.at;
  const isDone = refused.length === 0 && (await properties.change(linkId, path, changes));
  const others = changes
    .filter((change) => !isLive(change))
    .map(emptyElement)
    .join('');
  const status = isDone ? 200 : refused.length > 0 ? 424 : 507;
  const stats =
    (refused.length > 0 ? propstat(403, refused.map(emptyElement).join('')) : '') + (others === '' ? '' : propstat(status, others));
  const href = escapeXml(hrefOf(target.names, entry.kind === 'folder'));
  return {
    status: 207,
    body: `${xmlHead}<D:multistatus xmlns:D="DAV:"><D:response><D:href>${href}</D:href>${stats}</D:response></D:multistatus>`,
  };
}
