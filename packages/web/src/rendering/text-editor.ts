import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  LanguageDescription,
  syntaxHighlighting,
} from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type EditorOptions = {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly path: string;
  readonly text: string;
  readonly readOnly: boolean;
  /** Another version, to show the differences. */
  readonly original?: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
};

export type TextEditor = {
  text(): string;
  /** Replaces the text; the scroll position stays if it still exists. */
  replace(text: string): void;
  goTo(line: number, column?: number): void;
  selection(): { readonly text: string; readonly from: number; readonly to: number } | null;
  focus(): void;
  close(): void;
};

/** Colours cost time on every key press: large texts, and those with very long lines, have none. */
const mostColoured = 1024 * 1024;
const longestLine = 100_000;

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-constant)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--code-function)' },
  { tag: [tags.typeName, tags.className, tags.tagName], color: 'var(--code-type)' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strong, fontWeight: '600' },
]);

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--size-small)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)' },
  '.cm-searchMatch': { backgroundColor: 'var(--mark)' },
});

/** A text editor. Loads the grammar of a language when it is first used. */
export function openTextEditor(options: EditorOptions): TextEditor {
  const language = new Compartment();
  let isQuiet = false;
  const extensions: Extension[] = [
    lineNumbers(),
    foldGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    syntaxHighlighting(colours),
    look,
    EditorState.readOnly.of(options.readOnly),
    EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' }),
    keymap.of([
      {
        key: 'Mod-s',
        preventDefault: true,
        run: () => {
          options.onSave();
          return true;
        },
      },
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      // Tab leaves the editor after Escape, as CodeMirror's own keymap does.
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !isQuiet) options.onChange(update.state.doc.toString());
    }),
    language.of([]),
    ...(options.original === undefined
      ? []
      : [unifiedMergeView({ original: options.original, mergeControls: false, collapseUnchanged: {} })]),
  ];
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({ doc: options.text, extensions }),
  });
  const isColoured = options.text.length <= mostColoured && !hasLongLine(options.text);
  const described = isColoured ? LanguageDescription.matchFilename(languages, options.path) : null;
  void described?.load().then(
    (support) => view.dispatch({ effects: language.reconfigure(support) }),
    () => {},
  );
  return {
    text: () => view.state.doc.toString(),
    replace(text) {
      isQuiet = true;
      const top = view.scrollDOM.scrollTop;
      const at = Math.min(view.state.selection.main.head, text.length);
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: Math.min(at, EditorState.create({ doc: text }).doc.length) },
      });
      view.scrollDOM.scrollTop = top;
      isQuiet = false;
    },
    goTo(line, column = 1) {
      const { doc } = view.state;
      const found = doc.line(Math.min(Math.max(1, line), doc.lines));
      const anchor = Math.min(found.to, found.from + column - 1);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      view.focus();
    },
    selection() {
      const { from, to } = view.state.selection.main;
      if (from === to) return null;
      const { doc } = view.state;
      return { text: doc.sliceString(from, to), from: doc.lineAt(from).number, to: doc.lineAt(to).number };
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

function hasLongLine(text: string): boolean {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    if ((end === -1 ? text.length : end) - start > longestLine) return true;
    if (end === -1) return false;
    start = end + 1;
  }
  return false;
}
