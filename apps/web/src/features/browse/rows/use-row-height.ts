import { useMediaQuery } from '@mantine/hooks';

const narrow = '(max-width: 699px)';

/** Height of a row of two lines, in px. */
export const highRow = 56;

/** Height of a row in px: two lines in narrow windows. */
export const useRowHeight = (): number => (useMediaQuery(narrow, matchMedia(narrow).matches) ? highRow : 40);
