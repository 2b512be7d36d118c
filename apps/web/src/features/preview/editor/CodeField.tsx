import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import classes from './Editor.module.css';

type Props = {
  label: string;
  /** The text to begin with. */
  text: string;
  isMarkdown: boolean;
  onText: (text: string) => void;
  onSave: () => void;
};

const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent-ink)' },
  { tag: [tags.processingInstruction, tags.meta, tags.comment], color: 'var(--text-3)' },
  { tag: tags.monospace, color: 'var(--wheat-ink)' },
]);

/** The line breaks of a file stay what they are; where they are mixed, a carriage return counts as a character of its line. */
const breakOf = (text: string): string => (/\r\n/.test(text) && !/(?:^|[^\r])\n/.test(text) ? '\r\n' : '\n');

/** A field for text, with line numbers, undo, and a search of its own. Tab leaves it. */
export function CodeField({ label, text, isMarkdown, onText, onSave }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ onText, onSave });
  useEffect(() => void (latest.current = { onText, onSave }));
  const begun = useRef({ label, text, isMarkdown });

  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: begun.current.text,
        extensions: [
          EditorState.lineSeparator.of(breakOf(begun.current.text)),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          search({ top: true }),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': begun.current.label, 'data-autofocus': '', spellcheck: 'false' }),
          syntaxHighlighting(colours),
          ...(begun.current.isMarkdown ? [markdown()] : []),
          Prec.high(
            keymap.of([
              {
                key: 'Mod-s',
                preventDefault: true,
                run: () => {
                  latest.current.onSave();
                  return true;
                },
              },
            ]),
          ),
          keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onText(update.state.sliceDoc());
          }),
        ],
      }),
    });
    view.focus();
    return () => view.destroy();
  }, []);
  return <div ref={host} className={classes.field} />;
}
