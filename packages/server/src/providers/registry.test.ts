import { expect, test } from 'vitest';
import type { CliProvider } from './provider.ts';
import { createProviderRegistry } from './registry.ts';

const provider = (cliType: string): CliProvider => ({ cliType }) as CliProvider;

test('TC-2.2a: the registry resolves a provider by its type', () => {
  const registry = createProviderRegistry();
  const demo = provider('demo');
  const codex = provider('codex');
  registry.register(demo);
  registry.register(codex);
  expect(registry.resolve('demo')).toBe(demo);
  expect(registry.resolve('codex')).toBe(codex);
  expect(registry.all()).toEqual([demo, codex]);
});

test('TC-2.2b: an unknown type is an error that lists the known ones', () => {
  const registry = createProviderRegistry();
  registry.register(provider('demo'));
  registry.register(provider('codex'));
  expect(() => registry.resolve('nope')).toThrowError(
    expect.objectContaining({
      code: 'UNSUPPORTED_CLI_TYPE',
      message: expect.stringMatching(/"nope".*demo, codex/) as string,
    }),
  );
});

test('TC-2.2b: an empty registry says so', () => {
  expect(() => createProviderRegistry().resolve('demo')).toThrowError(/Available agents: none/);
});

test('TC-2.2a: providers of a source come and go; a registered one of the same type wins', () => {
  const registry = createProviderRegistry();
  const demo = provider('demo');
  registry.register(demo);
  let following = [provider('mine')];
  registry.follow(() => [provider('demo'), ...following]);
  expect(registry.all().map(({ cliType }) => cliType)).toEqual(['demo', 'mine']);
  expect(registry.resolve('demo')).toBe(demo);
  following = [];
  expect(() => registry.resolve('mine')).toThrowError(/Available agents: demo/);
});
