import { describe, expect, it } from 'vitest';
import { fileTab, readTab, reviewTab, sessionOfTab, tabElementId, terminalTab } from './tab-id.ts';

describe('the id of a tab', () => {
  it('contains what it shows', () => {
    expect(readTab('0198-abc')).toEqual({ kind: 'session', sessionId: '0198-abc' });
    expect(readTab(reviewTab('s:1'))).toEqual({ kind: 'review', sessionId: 's:1' });
    expect(readTab(terminalTab('t1'))).toEqual({ kind: 'terminal', terminalId: 't1' });
    const path = 'src/a b:12\n.ts';
    expect(readTab(fileTab('s:1', path))).toEqual({ kind: 'file', sessionId: 's:1', path });
    expect(readTab(fileTab('s', ''))).toEqual({ kind: 'file', sessionId: 's', path: '' });
  });

  it('is read as a session id if it is malformed', () => {
    for (const id of ['file:', 'file:%:a', 'file:s']) expect(readTab(id)).toEqual({ kind: 'session', sessionId: id });
  });

  it('leads to the session it belongs to', () => {
    expect(['s', reviewTab('s'), fileTab('s', 'a.ts'), terminalTab('t')].map(sessionOfTab)).toEqual([
      's',
      's',
      's',
      null,
    ]);
  });

  it('is a valid element id', () => {
    expect(tabElementId(fileTab('s', 'my notes.md'))).not.toContain(' ');
  });
});
