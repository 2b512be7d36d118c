/** One mouse or keyboard action. Keys have the names of `KeyboardEvent.key`. */
export type Action =
  | { readonly type: 'move'; readonly x: number; readonly y: number }
  | { readonly type: 'press' | 'release'; readonly button: 'left' | 'right' }
  | { readonly type: 'keyDown' | 'keyUp'; readonly key: string }
  | { readonly type: 'write'; readonly text: string };

/** One page of a browser, independent of the protocol of its engine. */
export interface Tab {
  /** Opens an address and waits until the page is loaded. */
  open(address: string): Promise<void>;
  /** Evaluates a JavaScript expression in the page and returns its value, which must be valid JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Performs actions in order; keys and buttons that are held stay held for the next call. The page may handle them after this resolves. */
  act(actions: readonly Action[]): Promise<void>;
  /** Chooses local files in the file input of that CSS selector. */
  chooseFiles(css: string, paths: readonly string[]): Promise<void>;
  /** Resizes the page to this size in CSS pixels, if the window can be that small. */
  resize(width: number, height: number): Promise<void>;
  /** Screenshot as PNG. */
  picture(): Promise<Buffer>;
  /** Console errors and uncaught errors of the page. */
  errors(): Promise<readonly string[]>;
}

/** A running browser with one page. */
export interface Browser {
  readonly tab: Tab;
  stop(): Promise<void>;
}
