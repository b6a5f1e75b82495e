import { describe, expect, it } from 'vitest';
import { safeLink } from './safe-link.ts';

describe('safeLink', () => {
  it.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['HTTP://EXAMPLE.org', 'http://example.org/'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
  ])('lets %s through as the browser reads it', (href, read) => expect(safeLink(href)).toBe(read));

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example/x',
    '/api/projects',
    'src/main.ts',
    '#top',
    '',
    undefined,
  ])('makes no link of %s', (href) => expect(safeLink(href)).toBeNull());
});
