import type { Source } from '@sheaf/contract';
import { letters } from './letters.ts';

/** The shape on a tile, in a square of its own size, drawn in the tile's ink unless it has its own colours. */
export interface Mark {
  /** Side of the square that the shape was drawn for. */
  readonly size: number;
  readonly svg: string;
}

/** A logo is a tile with its mark, 32 units wide; a menu icon is the mark alone. */
export type Look = 'logo' | 'menu';

/**
 * Renders a provider's image as an SVG document. Every tile has the same lightness and saturation, so that all weigh the same; only the hue differs.
 * The image follows the page's colour scheme. Without `hue` the tile is neutral.
 */
export function tileSvg(mark: Mark, hue: number | undefined, look: Look): string {
  const colours = (light: boolean): string => {
    const tone = (l: number, c: number) => `oklch(${l} ${hue === undefined ? 0.008 : c} ${hue ?? 85})`;
    return light
      ? `.tile{fill:${tone(0.945, 0.034)};stroke:${tone(0.885, 0.05)}}.ink{fill:${tone(0.44, 0.095)}}`
      : `.tile{fill:${tone(0.3, 0.042)};stroke:${tone(0.37, 0.05)}}.ink{fill:${tone(0.85, 0.085)}}`;
  };
  const side = look === 'logo' ? 18 : 28;
  const [start, scale] = [(32 - side) / 2, side / mark.size];
  const tile = look === 'logo' ? '<rect class="tile" x=".5" y=".5" width="31" height="31" rx="7.5"/>' : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${colours(true)}@media (prefers-color-scheme:dark){${colours(false)}}</style>${tile}<g class="ink" transform="translate(${start} ${start}) scale(${scale})">${mark.svg}</g></svg>`;
}

const capHeight = 72.8;

/** The letters of a provider's tile as a centred mark, a little over half as high as the tile is wide. */
export function letterMark(text: Source['tile']['letters']): Mark {
  const tight = -3;
  const glyphs = Array.from(text, (letter) => letters[letter] ?? ([0, ''] as const));
  const width = glyphs.reduce((sum, [advance]) => sum + advance + tight, -tight);
  const size = 140;
  let x = (size - width) / 2;
  const y = (size + capHeight) / 2;
  const paths = glyphs.map(([advance, path]) => {
    const placed = `<path transform="translate(${x.toFixed(1)} ${y})" d="${path}"/>`;
    x += advance + tight;
    return placed;
  });
  return { size, svg: paths.join('') };
}

/** Sheaf's own mark in its two colours. */
export const sheafMark: Mark = {
  size: 32,
  svg: '<style>.stalk{fill:#2f6b4f}.band{fill:#c8963e}@media (prefers-color-scheme:dark){.stalk{fill:#7cc4a0}.band{fill:#dcb063}}</style><path class="stalk" d="M16 1.5C19.2 6 19 11.4 18.1 16.6H13.9C13 11.4 12.8 6 16 1.5ZM3 5.4C9.8 6.6 12.8 11 12.6 16.6H8.7C8.3 12.4 4.9 10 3 5.4ZM29 5.4C22.2 6.6 19.2 11 19.4 16.6H23.3C23.7 12.4 27.1 10 29 5.4ZM13.9 23.5H18.1V30H13.9ZM8.7 23.5H12.6L11.2 30H6.6C7.7 28 8.4 25.8 8.7 23.5ZM23.3 23.5H19.4L20.8 30H25.4C24.3 28 23.6 25.8 23.3 23.5Z"/><rect class="band" x="7" y="18" width="18" height="4" rx="2"/>',
};

/** Mark for an unknown provider: two drives. */
export const genericMark: Mark = {
  size: 24,
  svg: '<path fill-rule="evenodd" d="M5 3h14a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Zm1.5 2.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8ZM5 13h14a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-2a3 3 0 0 1 3-3Zm1.5 2.6a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8Z"/>',
};
