import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createEditorStore, editorAddress, editorCommand } from './editor-store.ts';

describe('FL-2: the user’s own editor', () => {
  it('opens a file at a position with a URL', () => {
    const place = { path: '/work/my repo/a?b.ts', line: 3, column: 7 };
    expect(editorAddress('vscode', place)).toBe('vscode://file/work/my%20repo/a%3Fb.ts:3:7');
    expect(editorAddress('zed', { path: '/a.ts' })).toBe('zed://file/a.ts:1:1');
    expect(editorAddress('command', place)).toBeNull();
  });

  it('is started by a command in which a file name stays one argument', () => {
    const path = `/w/it's; rm -rf $HOME {line} $&.ts`;
    expect(editorCommand('vim +{line} {path}', { path, line: 3 })).toBe(
      `vim +3 '/w/it'\\''s; rm -rf $HOME {line} $&.ts'`,
    );
  });

  it('is remembered', () => {
    const storage = memoryStorage();
    expect(createEditorStore(storage).get().name).toBe('vscode');
    createEditorStore(storage).set({ name: 'command', command: 'emacs +{line} {path}' });
    expect(createEditorStore(storage).get()).toEqual({ name: 'command', command: 'emacs +{line} {path}' });
  });
});
