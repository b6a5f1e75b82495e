import { describe, expect, test } from 'vitest';
import { shownResult } from './result-output.ts';

const text = (words: string) => [{ type: 'text', text: words }];
const tail =
  "agentId: a75 (internal ID - do not mention to user. Use SendMessage with to: 'a75' to continue this agent.)\n<usage>total_tokens: 70\ntool_uses: 0</usage>";

describe('a result as shown to the user', () => {
  test("is a subagent's answer, without the parts meant for the model", () => {
    const reported = { status: 'completed', agentId: 'a75', content: text('Two callers.') };
    expect(shownResult('Task', [...text('Two callers.'), ...text(tail)], reported, []).output).toBe('Two callers.');
    expect(shownResult('Agent', [...text('Two callers.'), ...text(tail)], undefined, []).output).toBe('Two callers.');
    expect(shownResult('Task', 'agentId: is a word of the answer', undefined, []).output).toBe(
      'agentId: is a word of the answer',
    );
  });

  test('says that work continues in the background, without the instructions for the model', () => {
    const launched = 'Async agent launched successfully. (This tool result is internal metadata — never quote it.)';
    expect(shownResult('Task', text(launched), { isAsync: true }, []).output).toBe('Started in the background.');
    expect(shownResult('Task', text(launched), undefined, []).output).toBe('Started in the background.');
    const reported = { stdout: 'first line', backgroundTaskId: 'b1' };
    expect(shownResult('Bash', 'Command running in background with ID: b1.', reported, []).output).toBe(
      'first line\nStarted in the background.',
    );
  });

  test('is question and answer, from the data or from the sentence for the model', () => {
    const sentence =
      'Your questions have been answered: "Which?"="Blue, or "green"", "Why?"="So.". You can now continue.';
    const questions = [
      { question: 'Which?', answer: 'Blue, or "green"' },
      { question: 'Why?', answer: 'So.' },
    ];
    const reported = { answers: { 'Which?': 'Blue, or "green"', 'Why?': 'So.' } };
    const output = 'Which?\nBlue, or "green"\n\nWhy?\nSo.';
    expect(shownResult('AskUserQuestion', sentence, reported, ['Which?', 'Why?'])).toEqual({ output, questions });
    expect(shownResult('AskUserQuestion', '… answered: "Which?"="Blue". You can', undefined, ['Which?'])).toEqual({
      output: 'Which?\nBlue',
      questions: [{ question: 'Which?', answer: 'Blue' }],
    });
    expect(shownResult('AskUserQuestion', 'Not now.', undefined, ['Which?'])).toEqual({ output: 'Not now.' });
  });

  test('is otherwise the tool’s output, and a failure without its tags', () => {
    expect(shownResult('Read', 'a <system-reminder>b</system-reminder>', {}, []).output).toBe(
      'a <system-reminder>b</system-reminder>',
    );
    expect(shownResult('Edit', '<tool_use_error>No such file</tool_use_error>', {}, []).output).toBe('No such file');
  });
});
