import { defineConfig } from 'oxlint';
import { importOverrides, importRule } from './scripts/lint/import-rules.ts';

const tests = ['**/*.test.ts', '**/*.test.tsx', '**/testing/**'];

export default defineConfig({
  plugins: ['eslint', 'typescript', 'import', 'unicorn', 'react', 'promise', 'oxc'],
  categories: { correctness: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['**/dist/**', '**/golden/**', '**/fixtures/**', '**/recordings/**'],
  rules: {
    eqeqeq: 'error',
    'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    'import/no-cycle': 'error',
    'no-restricted-imports': importRule,
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { allowDefaultCaseForExhaustiveSwitch: false }],
    // Objects of functions are our classes; none of them reads `this`.
    'typescript/unbound-method': 'off',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
  },
  overrides: [
    ...importOverrides,
    { files: tests, rules: { 'typescript/no-non-null-assertion': 'off' } },
    {
      files: ['packages/{contracts,domain,client,web}/src/**'],
      excludeFiles: tests,
      rules: { 'no-console': 'error' },
    },
    {
      files: ['packages/domain/src/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-globals': ['error', { name: 'Date', message: 'Time is an argument; see time/iso-time.ts.' }],
        'no-restricted-properties': [
          'error',
          { object: 'Math', property: 'random', message: 'Pass an id in.' },
          { object: 'Date', property: 'now', message: 'Pass the time in.' },
        ],
      },
    },
    { files: ['packages/domain/src/time/iso-time.ts'], rules: { 'no-restricted-globals': 'off' } },
    {
      files: ['packages/web/src/**'],
      rules: { 'react/rules-of-hooks': 'error', 'react/exhaustive-deps': 'error' },
    },
    { files: ['packages/contracts/src/index.ts'], rules: { 'oxc/no-barrel-file': 'off' } },
  ],
});
