import { childUri, encryptionRootUri, linkUriOf, parseLinkUri } from '@sheaf/contract';

/** A folder on the path from the links to the visible one. */
export interface Step {
  readonly name: string;
  readonly linkUri: string;
}

/** Position of the folder picker. */
export interface PickerLocation {
  /** Path from the link to the folder; empty where nothing can be chosen, as in the list of links or of encrypted folders. */
  readonly destinationPath: string;
  readonly linkUri: string;
  /** Whether there is a parent. */
  readonly backPathExists: boolean;
}

/** The position of these steps; without steps the list of links. */
export function locationOf(steps: readonly Step[]): PickerLocation {
  const linkUri = steps.at(-1)?.linkUri ?? '';
  return {
    destinationPath: linkUri === encryptionRootUri ? '' : steps.map(({ name }) => name).join('/'),
    linkUri,
    backPathExists: steps.length > 0,
  };
}

/** The steps to the folder at that address, below one of these links; undefined when its link is gone. */
export function stepsTo(linkUri: string, links: readonly Step[]): readonly Step[] | undefined {
  const address = parseLinkUri(linkUri);
  const root = address && linkUriOf(address.userLinkId, '/');
  const link = links.find((one) => one.linkUri === root);
  if (!address || !link) return undefined;
  const steps: Step[] = [{ name: link.name, linkUri: link.linkUri }];
  for (const name of address.path.split('/').filter((segment) => segment !== ''))
    steps.push({ name, linkUri: childUri(steps.at(-1)?.linkUri ?? '', name) });
  return steps;
}
