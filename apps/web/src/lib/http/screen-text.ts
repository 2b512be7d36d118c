import {
  type ScreenDetails,
  type ScreenKey,
  type Source,
  type ScreenWords,
  type SourceGroupName,
  englishScreenWords,
  filledScreen,
} from '@sheaf/contract';
import { currentWords } from './error-text.ts';

const words = (): ScreenWords => currentWords() ?? englishScreenWords;

/** A question or remark whose words depend on data. */
export const screenText = <K extends ScreenKey>(key: K, details: ScreenDetails<K>): string => filledScreen(words(), key, details);

/** The sentence below the title of a source's dialog. */
export const sourceSentence = ({ provider, sentence }: Source): string => words().sources[provider]?.sentence ?? sentence;

/** Why a source cannot be linked; undefined when it can. */
export const closedSentence = ({ provider, closed }: Source): string | undefined =>
  closed === undefined ? undefined : (words().sources[provider]?.closed ?? closed);

/** A few words on the card of a source that can be linked. */
export const familyCaption = ({ family }: Source): string => (family === undefined ? '' : words().families[family]);

/** A few words about a group of sources. */
export const groupSentence = (group: SourceGroupName): string => words().groups[group];
