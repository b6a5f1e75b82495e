import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from './command-table.ts';
import { modulesLoadedWith } from './testing/loaded-modules.ts';

const commandFile = (name: string): string => `cli/src/commands/${name}.ts`;
const isHeavy = (module: string): boolean => /^(zod|@modelcontextprotocol|contracts\/)/.test(module);
const heavyIn = (file: string): string[] => [...modulesLoadedWith(file)].filter(isHeavy);

describe('the modules of a command', () => {
  it('include a separate file for every command of the table', () => {
    const files = readdirSync(join(import.meta.dirname, 'commands')).filter((file) => !file.endsWith('.test.ts'));
    const names = files.map((file) => file.replace(/\.ts$/, ''));
    expect(names.toSorted()).toEqual(Object.keys(commands).toSorted());
  });

  it.each(['cli/src/main.ts', 'client/src/connect-light.ts', commandFile('ls'), commandFile('wait')])(
    'CL-1: include neither a parser nor schemas for %s',
    (file) => {
      expect(heavyIn(file)).toEqual([]);
    },
  );

  it('include the schemas where they are needed', () => {
    expect(heavyIn('client/src/connect.ts')).toContain('zod');
  });

  it('CL-1: include the MCP SDK only for `mcp`, and there only once it serves', () => {
    const loadsSdk = Object.keys(commands).filter((name) =>
      [...modulesLoadedWith(commandFile(name))].some((module) => module.startsWith('@modelcontextprotocol')),
    );
    expect(loadsSdk).toEqual([]);
    expect([...modulesLoadedWith('cli/src/mcp/mcp-server.ts')].join(' ')).toContain('@modelcontextprotocol/sdk');
  });
});
