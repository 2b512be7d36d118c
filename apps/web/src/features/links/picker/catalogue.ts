import { type LinkGroup, type LinkProvider, type Source, type SourceGroupName, sourceGroups, sources } from '@sheaf/contract';
import { familyCaption, groupSentence, screenText } from '#/lib/http/screen-text.ts';
import { linksOf } from '../source-route.ts';

/** A type in the picker, and what prevents linking it. */
export interface Choice {
  readonly source: Source;
  /** A few words below its title. */
  readonly caption: string;
  /** Why it cannot be linked at present; absent if it can. */
  readonly obstacle?: 'closed' | 'notSetUp';
}

export interface ChoiceGroup {
  readonly title: SourceGroupName;
  readonly sentence: string;
  readonly choices: readonly Choice[];
}

/**
 * Every source with a dialog, grouped as in the catalogue and sorted by title; those that cannot be linked come last. With `ofOrg` the links are an
 * organisation's.
 */
export function choiceGroups(providers: readonly LinkProvider[], links: readonly LinkGroup[], ofOrg = false): ChoiceGroup[] {
  const order = new Intl.Collator('en', { sensitivity: 'base' });
  const all: readonly Source[] = sources;
  const choices = all
    .filter(({ route }) => route !== undefined)
    .map((source) => choiceOf(source, providers, linksOf(source, links, ofOrg).length))
    .toSorted(
      (one, other) =>
        Number(one.obstacle !== undefined) - Number(other.obstacle !== undefined) || order.compare(one.source.title, other.source.title),
    );
  return sourceGroups.map((title) => ({
    title,
    sentence: groupSentence(title),
    choices: choices.filter(({ source }) => source.group === title),
  }));
}

function choiceOf(source: Source, providers: readonly LinkProvider[], linked: number): Choice {
  const known = providers.find(({ provider }) => provider === source.provider);
  const closed = known === undefined ? source.closed : known.closed;
  const isSetUp = known?.isSetUp ?? true;
  if (closed !== undefined) return { source, caption: screenText('CARD_CLOSED', {}), obstacle: 'closed' };
  if (!isSetUp) return { source, caption: screenText('CARD_NOT_SET_UP', {}), obstacle: 'notSetUp' };
  if (linked > 0)
    return { source, caption: linked === 1 ? screenText('CARD_ONE_LINK', {}) : screenText('CARD_LINKS', { count: String(linked) }) };
  return { source, caption: familyCaption(source) };
}

/** The groups with the choices whose title, provider or group contains every word of the search; omits empty groups. */
export function searched(groups: readonly ChoiceGroup[], search: string, only?: SourceGroupName): ChoiceGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .filter(({ title }) => only === undefined || title === only)
    .map((group) => ({
      ...group,
      choices: group.choices.filter(({ source }) => {
        const text = `${source.title} ${source.provider} ${group.title}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ choices }) => choices.length > 0);
}

/** Titles of the choices that still need an application registered by the operator. */
export const needingSettings = (groups: readonly ChoiceGroup[]): string[] =>
  groups.flatMap(({ choices }) =>
    choices.flatMap(({ source }) => (source.settings !== undefined && source.closed === undefined ? [source.title] : [])),
  );
