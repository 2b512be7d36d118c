import { ConnectorError } from '../../core/error.ts';
import { type XmlName, type XmlScope, type XmlTag, createRootScope } from './xml-names.ts';
import { decodeXmlText } from './xml-text.ts';

/** Events of a scanner, in document order. */
export interface XmlHandler {
  /** `spaceOf` returns the namespace of a prefix within the element; undefined for an undeclared prefix. */
  open(name: XmlName, attributes: Readonly<Record<string, string>>, spaceOf: (prefix: string) => string | undefined): void;
  /** One text may arrive in several pieces. */
  text(text: string): void;
  close(): void;
}

/** Parses a document piece by piece. */
export interface XmlScanner {
  push(text: string): void;
  /** Returns the number of open elements; undefined while markup or a reference is incomplete. */
  depth(): number | undefined;
  /** Rejects an incomplete document. */
  end(): void;
}

const depthLimit = 64;
/** Maximum characters of one tag, comment or reference; a document with a longer one is hostile or broken. */
const markupLimit = 64 * 1024;
/** The longest reference is `&#1114111;`. */
const referenceLimit = 12;

const [exclamation, slash, question] = [33, 47, 63];
const [doubleQuote, singleQuote, bracketMark] = [34, 39, 62];

const broken = (message: string) => new ConnectorError('unexpected', `the XML ${message}`);
const endless = () => broken('has endless markup');

/**
 * Creates a scanner of XML 1.0 with namespaces for responses of untrusted servers. Accepts no document type, and therefore no custom or
 * external entities; limits depth and length of markup. `push` and `end` throw ConnectorError `unexpected`; `end` throws `interrupted` for
 * a document that stops early.
 */
export function createXmlScanner(handler: XmlHandler): XmlScanner {
  const open: { readonly written: string; readonly outer: XmlScope }[] = [];
  let scope = createRootScope();
  let rest = '';
  let started = false;

  function tell(text: string): void {
    if (open.length > 0) handler.text(text);
    else if (text.trim() !== '') throw broken('has text outside its root');
  }

  function openTag(tag: XmlTag): void {
    if (started && open.length === 0) throw broken('has more than one root');
    if (open.length >= depthLimit) throw broken('is too deep');
    started = true;
    handler.open(tag.name, tag.attributes, tag.scope.spaceOf);
    open.push({ written: tag.written, outer: scope });
    scope = tag.scope;
    if (tag.empty) closeTag(tag.written);
  }

  function closeTag(written: string): void {
    const last = open.pop();
    if (last?.written !== written) throw broken('has tags that do not match');
    scope = last.outer;
    handler.close();
  }

  /** Processes the markup that begins at `from`; returns its end, or undefined when the end has not arrived. */
  function markup(text: string, from: number): number | undefined {
    const next = text.charCodeAt(from + 1);
    if (next === exclamation) return special(text, from);
    if (next === question) return upTo(text, from + 2, '?>');
    const bracket = text.indexOf('>', from);
    if (bracket === -1) return undefined;
    if (next === slash) {
      closeTag(text.slice(from + 2, bracket).trimEnd());
      return bracket + 1;
    }
    const known = scope.known(text.slice(from + 1, bracket));
    const end = known ? bracket : tagEnd(text, from);
    if (end === undefined) return undefined;
    if (end - from > markupLimit) throw endless();
    openTag(known ?? scope.read(text.slice(from + 1, end)));
    return end + 1;
  }

  function special(text: string, from: number): number | undefined {
    if (text.startsWith('<!--', from)) return upTo(text, from + 4, '-->');
    if (text.startsWith('<![CDATA[', from)) {
      const end = upTo(text, from + 9, ']]>');
      if (end !== undefined) tell(text.slice(from + 9, end - 3));
      return end;
    }
    if (text.length - from >= 9) throw broken('has a document type');
    return undefined;
  }

  return {
    push(more) {
      const text = rest + more;
      let at = 0;
      while (at < text.length) {
        const bracket = text.indexOf('<', at);
        const until = bracket === -1 ? beforeReference(text, at) : bracket;
        if (until > at) tell(decodeXmlText(text.slice(at, until)));
        at = until;
        if (bracket === -1) break;
        const end = markup(text, bracket);
        if (end === undefined) break;
        at = end;
      }
      rest = text.slice(at);
      if (rest.length > markupLimit) throw endless();
    },
    depth: () => (rest === '' ? open.length : undefined),
    end() {
      if (rest !== '' || open.length > 0 || !started) throw new ConnectorError('interrupted', 'the XML stops early', { retryable: true });
    },
  };
}

function upTo(text: string, from: number, mark: string): number | undefined {
  const end = text.indexOf(mark, from);
  return end === -1 ? undefined : end + mark.length;
}

/** Returns the position where text may be split without splitting a reference. */
function beforeReference(text: string, from: number): number {
  const start = text.lastIndexOf('&');
  return start >= from && text.length - start < referenceLimit && !text.includes(';', start) ? start : text.length;
}

/** Returns the position of the tag's final `>`, ignoring those within quotes. */
function tagEnd(text: string, from: number): number | undefined {
  let quote: number | undefined;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quote !== undefined) {
      if (code === quote) quote = undefined;
    } else if (code === bracketMark) return at;
    else if (code === doubleQuote || code === singleQuote) quote = code;
  }
  return undefined;
}
