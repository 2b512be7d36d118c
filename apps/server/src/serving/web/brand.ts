import type { Brand } from '@sheaf/contract';
import type { Config } from '#/platform/config/config.ts';

export type Presented = Pick<Config, 'brandName' | 'brandLogo' | 'imprintUrl' | 'privacyUrl'>;

/** How the settings present this installation. */
export const brandOf = ({ brandName, brandLogo, imprintUrl, privacyUrl }: Presented): Brand => ({
  ...(brandName !== '' && { name: brandName }),
  ...(brandLogo && { hasLogo: true }),
  ...(imprintUrl !== '' && { imprint: imprintUrl }),
  ...(privacyUrl !== '' && { privacy: privacyUrl }),
});
