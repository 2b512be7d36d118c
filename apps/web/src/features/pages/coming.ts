import type { RouteName } from '@sheaf/contract';

/** What a page that is not built yet will hold. */
export interface Coming {
  readonly title: string;
  readonly text: string;
}

/** The pages to come, by the name of their route. */
export const comingPages: Readonly<Partial<Record<RouteName, Coming>>> = {
  linkFormGoogleCloud: { title: 'Google Cloud Storage', text: 'Here you will link a bucket of Google Cloud Storage.' },
  linkFormOracle: { title: 'Oracle Documents', text: 'Here you will link an Oracle Documents server.' },
  linkWebService: { title: 'Link a web service', text: 'From here you will be led to the provider to allow Sheaf in.' },
  orgLinkWebService: {
    title: 'Link a web service',
    text: 'From here you will be led to the provider to allow Sheaf in for your organisation.',
  },
  oauth: { title: 'Authorization', text: 'Here providers will lead you back to Sheaf.' },
  gallery: {
    title: 'Gallery',
    text: 'Here you will see the pictures of a folder, large and side by side. The list shows the same files today.',
  },
  previewGallery: { title: 'Preview', text: 'Here you will look at pictures without downloading them.' },
  previewList: { title: 'Preview', text: 'Here you will look at files without downloading them.' },
  downloadDesktop: { title: 'Desktop client', text: 'The desktop client is not available on this installation.' },
};
