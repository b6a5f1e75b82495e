import { describe, expect, it } from 'vitest';
import { hostToShow, safeLink } from './safe-link.ts';

describe('safeLink', () => {
  it.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['HTTP://EXAMPLE.org', 'http://example.org/'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
  ])('allows %s, normalised by the browser', (href, read) => expect(safeLink(href)).toBe(read));

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
  ])('rejects %s as a link', (href) => expect(safeLink(href)).toBeNull());
});

describe('hostToShow', () => {
  it.each([
    ['https://example.org/a', 'https://example.org/a', ''],
    ['https://example.org/a', 'example.org', ''],
    ['https://example.org/a', 'the manual', 'example.org'],
    ['https://evil.example/', 'https://github.com/login', 'evil.example'],
    ['https://evil.example/', 'see https://evil.example', 'evil.example'],
    ['https://github.com@evil.example/', 'github.com', 'evil.example'],
    ['https://github.co/', 'https://github.com/login', 'github.co'],
    ['https://github.co/', 'github.com', 'github.co'],
    ['https://evil.example/', 'evil.example.github.com', 'evil.example'],
    ['https://evil.example/', 'evil.example@github.com', 'evil.example'],
    ['https://evil.example/', 'evil.example:443/', 'evil.example'],
    ['https://evil.example/', 'evil.example/ or https://github.com', 'evil.example'],
    ['https://example.org:8080/a', 'example.org:8080/a', ''],
    ['mailto:a@b.c', 'a@b.c', ''],
    ['mailto:a@b.co', 'a@b.com', 'a@b.co'],
    ['mailto:a@b.c', 'write to us', 'a@b.c'],
  ])('shows the host of %s for the text %j', (target, words, shown) => expect(hostToShow(target, words)).toBe(shown));
});
