import { expect, test } from 'vitest';
import { readAgentsFile } from './agents-file.ts';

const read = (value: unknown, taken: readonly string[] = ['codex']) =>
  readAgentsFile(typeof value === 'string' ? value : JSON.stringify(value), new Set(taken));
const problem = (value: unknown): string[] => read(value).problems.map((problem) => problem.problem);

test('turns an entry into an agent; name, args and env are optional', () => {
  const { specs, problems } = read([
    { id: 'mine', name: 'My agent', command: '/opt/agent', args: ['acp', '--x'], env: { KEY: 'v' } },
    { id: 'other', command: 'other-agent', files: true },
  ]);
  expect(problems).toEqual([]);
  expect(specs).toMatchObject([
    { id: 'mine', name: 'My agent', command: '/opt/agent', args: ['acp', '--x'], env: { KEY: 'v' }, usesFiles: false },
    { id: 'other', name: 'other', command: 'other-agent', args: [], env: {}, family: 'none', usesFiles: true },
  ]);
});

test.each([
  ['no command', { id: 'a' }, /^entry 1 \("a"\): "command" is missing$/],
  ['an empty command', { id: 'a', command: '' }, /"command" must not be empty/],
  ['arguments in the command', { id: 'a', command: 'opencode acp' }, /"command" has spaces: put the arguments into/],
  ['a relative path', { id: 'a', command: './agent' }, /"command" must be a full path/],
  ['no id', { command: 'x' }, /^entry 1: "id" is missing$/],
  ['a bad id', { id: 'my agent', command: 'x' }, /"id" Agent ids can have letters, digits/],
  ['args that are not a list', { id: 'a', command: 'x', args: 'acp' }, /"args" must be a list of strings/],
  ['an argument that is not a string', { id: 'a', command: 'x', args: ['a', 1] }, /"args\[1\]" must be a string/],
  ['a variable that is not a string', { id: 'a', command: 'x', env: { KEY: 1 } }, /"env\[KEY\]" must be a string/],
  ['an invalid variable name', { id: 'a', command: 'x', env: { 'A B': '1' } }, /"env\[A B\]"/],
  ['an unknown field', { id: 'a', command: 'x', comand: 'y' }, /"comand" isn't supported here/],
  ['an entry that is not an object', 'x', /^entry 1: must be of type object$/],
  ['the id of a built-in agent', { id: 'codex', command: 'x' }, /"id" belongs to a built-in agent/],
])('rejects %s with a problem that names the entry and the field', (_, entry, expected) => {
  const found = problem([entry]);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

test('keeps the other entries if one is bad, and reports a duplicate id', () => {
  const { specs, problems } = read([
    { id: 'a', command: 'x' },
    { id: 'b' },
    { id: 'a', command: 'y' },
    { id: 'c', command: 'z' },
  ]);
  expect(specs.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(problems).toMatchObject([
    { id: 'b', problem: expect.stringMatching(/^entry 2 \("b"\)/) as string },
    { problem: 'entry 3 ("a"): "id" is used twice' },
  ]);
  expect(problems[1]).not.toHaveProperty('id');
});

test.each([
  ['half a file', '[{"id": "a",', /it isn't valid JSON/],
  ['an empty file', '', /it isn't valid JSON/],
  ['an object', '{"id": "a"}', /it must be a list/],
])('rejects %s as a whole', (_, text, expected) => {
  expect(read(text)).toEqual({ specs: [], problems: [{ problem: expect.stringMatching(expected) as string }] });
});
