import { parseAst } from 'rolldown/parseAst';

/** One small change of a source file that a test should notice. */
export type Mutant = {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** From 1. */
  readonly line: number;
  readonly what: string;
};

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [field: string]: unknown };

const comparisons: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};
/**
 * Only the parts of these nodes that run are mutated, not other TypeScript, and not names of modules, keys or styles.
 */
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);
const passedOver = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'JSXAttribute']);

/** Every change to try on a file: conditions, comparisons, operands of && and ||, values, removed statements. */
export function findMutants(source: string, file: string): Mutant[] {
  const mutants: Mutant[] = [];
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const add = ({ start, end }: Node, replacement: string, what: string): void => {
    mutants.push({ start, end, replacement, line: source.slice(0, start).split('\n').length, what });
  };

  const mutate = (node: Node): void => {
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement': {
        const test = childOf(node, 'test');
        if (test) add(test, `!(${textOf(test)})`, `negate ${short(textOf(test))}`);
        return;
      }
      case 'LogicalExpression':
        if (node['operator'] === '??') return;
        for (const kept of [childOf(node, 'left'), childOf(node, 'right')])
          if (kept) add(node, `(${textOf(kept)})`, `keep only ${short(textOf(kept))} of ${short(textOf(node))}`);
        return;
      case 'BinaryExpression':
        return swapComparison(node);
      case 'Literal':
        return replaceValue(node);
      case 'ExpressionStatement':
        if (typeof node['directive'] !== 'string') add(node, ';', `leave out ${short(textOf(node))}`);
        return;
      default:
    }
  };
  const swapComparison = (node: Node): void => {
    const [left, right, operator] = [childOf(node, 'left'), childOf(node, 'right'), String(node['operator'])];
    const other = comparisons[operator];
    if (left && right && other !== undefined)
      add(node, `${textOf(left)} ${other} ${textOf(right)}`, `${operator} to ${other} in ${short(textOf(node))}`);
  };
  const replaceValue = (node: Node): void => {
    const { value } = node;
    if (typeof value === 'boolean') add(node, String(!value), `${value} to ${!value}`);
    if (typeof value === 'number') add(node, value === 0 ? '1' : '0', `${value} to ${value === 0 ? 1 : 0}`);
    if (typeof value === 'string' && value !== '') add(node, "''", `empty ${short(textOf(node))}`);
  };

  const visit = (node: Node): void => {
    if (passedOver.has(node.type) || (node.type.startsWith('TS') && !wrappers.has(node.type))) return;
    mutate(node);
    for (const [field, part] of Object.entries(node)) {
      const isName = (field === 'key' && node['computed'] !== true) || field === 'source';
      if (isName || (wrappers.has(node.type) && field !== 'expression')) continue;
      for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child);
    }
  };
  const program: unknown = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file);
  if (isNode(program)) visit(program);
  return mutants.toSorted((a, b) => a.start - b.start);
}

/** The source with the change applied. */
export const applyMutant = (source: string, { start, end, replacement }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

function childOf(node: Node, field: string): Node | undefined {
  const child = node[field];
  return isNode(child) ? child : undefined;
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};
