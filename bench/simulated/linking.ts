import { type ReplyOf, type SavedFamily, addGoogleCloudLink, allLinks, completeLinkAuth, linkWebServicePath } from '@sheaf/contract';
import type { User } from '../sheaf.ts';
import type { SimulatedProviders } from './providers.ts';

/** How Sheaf is linked to an account of a simulator, and which folder there is used. */
export interface Cloud {
  /** As in SHEAF_BOX_CLIENT_ID → BOX. */
  readonly stem: string;
  /** As in Sheaf's catalogue. */
  readonly provider: string;
  readonly email: string;
  /** Names of folders from the link's root on. */
  readonly folder?: readonly string[];
  /** The dialog that links it, where nobody authorizes Sheaf. */
  readonly form?: SavedFamily;
  /** The bucket that is chosen after the authorization. */
  readonly bucket?: string;
}

/** Links an account as a browser would; gives the address of the folder that is used. */
export async function link(simulated: SimulatedProviders, user: User, sheafUrl: string, cloud: Cloud): Promise<string> {
  const { stem, provider, form, folder = [] } = cloud;
  let place: string;
  if (form === undefined) place = await authorize(simulated, user, sheafUrl, cloud);
  else {
    const info = (await simulated.ask({ ask: 'form', stem })) as Readonly<Record<string, string>>;
    place = await user.link({ family: form, provider, info }, provider);
  }
  for (const name of folder) place = (await user.find(place, name)).linkUri;
  return place;
}

async function authorize(simulated: SimulatedProviders, user: User, sheafUrl: string, cloud: Cloud): Promise<string> {
  const { stem, provider, email, bucket } = cloud;
  const query = { sourceType: provider, ...(bucket !== undefined && { providerName: provider, buildRedirectUrl: 'true' }) };
  const begun = await fetch(`${sheafUrl}${linkWebServicePath}?${new URLSearchParams(query).toString()}`, {
    headers: user.headers,
    redirect: 'manual',
  });
  const back = (await simulated.ask({ ask: 'allow', stem, url: begun.headers.get('location') ?? '', email })) as string;
  const { state, code } = Object.fromEntries(new URL(back).searchParams);
  const ended = await user.ask(completeLinkAuth, { ...(state !== undefined && { state }), ...(code !== undefined && { code }) });
  if (bucket !== undefined) {
    const stateId = new URL(ended.url, sheafUrl).searchParams.get('stateId') ?? '';
    await user.ask(addGoogleCloudLink, { stateId, bucketName: bucket });
  }
  const links = await fetch(sheafUrl + allLinks.path, { headers: user.headers });
  const { activeSources } = ((await links.json()) as { data: ReplyOf<typeof allLinks> }).data;
  const found = activeSources.flatMap((group) => group.links).find((row) => row.provider === provider);
  if (!found) throw new Error(`${provider} was not linked: ${ended.url}`);
  return found.linkUri;
}
