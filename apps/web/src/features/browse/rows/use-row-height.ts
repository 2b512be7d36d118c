import { useMediaQuery } from '@mantine/hooks';

const narrow = '(max-width: 699px)';

/** How high a row of the list is, in px: two lines where the window is narrow. */
export const useRowHeight = (): number => (useMediaQuery(narrow, matchMedia(narrow).matches) ? 56 : 40);
