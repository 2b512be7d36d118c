import { type ScreenDetails, type ScreenKey, type Source, type SourceGroupName, filledScreen } from '@sheaf/contract';
import { currentWords } from './error-text.ts';

/** A question or remark whose words depend on data. */
export const screenText = <K extends ScreenKey>(key: K, details: ScreenDetails<K>): string => filledScreen(currentWords(), key, details);

/** The sentence below the title of a source's dialog. */
export const sourceSentence = ({ provider, sentence }: Source): string => currentWords().sources[provider]?.sentence ?? sentence;

/** Why a source cannot be linked; undefined when it can. */
export const closedSentence = ({ provider, closed }: Source): string | undefined =>
  closed === undefined ? undefined : (currentWords().sources[provider]?.closed ?? closed);

/** A few words on the card of a source that can be linked. */
export const familyCaption = ({ family }: Source): string => (family === undefined ? '' : currentWords().families[family]);

/** A few words about a group of sources. */
export const groupSentence = (group: SourceGroupName): string => currentWords().groups[group];
