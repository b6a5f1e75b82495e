/** The line of the greeting that the demo agent improves. */
export const plainGreeting = "  return 'Hello ' + name;\n";
export const friendlyGreeting = '  return `Hello, ${name}!`;\n';

/** The initial files of the demo's scratch project. */
export const scratchFiles: Readonly<Record<string, string>> = {
  'README.md': `# Demo shop

A small project to try things on. It is yours: change, commit or break what you like.

Run its tests with \`node test.js\`.
`,
  'package.json': `{
  "name": "demo-shop",
  "private": true,
  "type": "module",
  "scripts": { "test": "node test.js" }
}
`,
  'src/greeting.js': `export function greet(name) {
${plainGreeting}}
`,
  'src/prices.js': `const taxRate = 0.19;

export function withTax(price) {
  return Math.round(price * (1 + taxRate) * 100) / 100;
}

export function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return withTax(sum);
}
`,
  'test.js': `import { greet } from './src/greeting.js';
import { total, withTax } from './src/prices.js';

const checks = [
  ['greets by name', greet('Ada').includes('Ada')],
  ['adds the tax', withTax(100) === 119],
  ['adds prices up', total([10, 20]) === 35.7],
];

for (const [name, holds] of checks) console.log(\`\${holds ? '✓' : '✗'} \${name}\`);
const failed = checks.filter(([, holds]) => !holds).length;
console.log(failed === 0 ? \`\${checks.length} passed\` : \`\${failed} of \${checks.length} failed\`);
process.exitCode = failed === 0 ? 0 : 1;
`,
};
