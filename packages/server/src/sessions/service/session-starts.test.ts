import type { Project, SessionInfo, SessionOptions } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPreferenceService } from '../../preferences/preference-service.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { createSessionStarts } from './session-starts.ts';

const preparedMs = 60_000;
const project: Project = { projectId: 'p', dir: '/somewhere', name: 'somewhere', trusted: true };

function begin(overrides: Parameters<typeof createScriptedProvider>[1] = {}) {
  const provider = createScriptedProvider('scripted', overrides);
  const preferences = createPreferenceService({ store: createMemoryStore(), startedWith: [] });
  const stopped: Project[] = [];
  const record = vi.fn((folder: Project) => ({ take: async () => null, stop: () => void stopped.push(folder) }));
  const starts = createSessionStarts({ preferences, record, preparedMs });
  const request = (given: SessionOptions = {}, where: Partial<Project> = {}) => ({
    provider,
    project: { ...project, ...where },
    given,
  });
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return { provider, preferences, starts, request, settled, record, stopped };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a prepared session', () => {
  it('serves the next matching request, and only one', async () => {
    const { provider, starts, request } = begin();
    void starts.prepare(request());
    expect((await starts.start(request())).sessionId).toBe('scripted-1');
    expect(provider.created).toHaveLength(1);
    expect((await starts.start(request())).sessionId).toBe('scripted-2');
  });

  it('CP-1: has its folder recorded since it was prepared, unless its tool calls wait or it is not needed', async () => {
    const { starts, request, settled, record, stopped } = begin();
    void starts.prepare(request());
    await settled();
    expect(record.mock.calls).toEqual([[project, preparedMs]]);
    expect((await starts.start(request())).ahead).toBe(record.mock.results[0]?.value);
    expect([record.mock.calls.length, stopped]).toEqual([1, []]);
    void starts.prepare(request());
    await settled();
    starts.forget(project.projectId);
    await settled();
    expect(stopped).toEqual([project]);
    const waiting = begin({ beforeToolCall: () => {} });
    expect((await waiting.starts.start(waiting.request())).ahead).toBeNull();
    expect(waiting.record).not.toHaveBeenCalled();
  });

  it('is prepared once, however often it is requested', async () => {
    const { provider, starts, request, settled } = begin();
    for (let asked = 0; asked < 3; asked += 1) void starts.prepare(request());
    await settled();
    expect(provider.created).toHaveLength(1);
  });

  it('is waited for while it is still starting', async () => {
    const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
    const createSession = vi.fn(() => gate.promise);
    const { starts, request, settled } = begin({ createSession, isAlive: () => true });
    void starts.prepare(request());
    const started = starts.start(request());
    await settled();
    gate.resolve({ sessionId: 'late', cliType: 'scripted' });
    expect((await started).sessionId).toBe('late');
    expect(createSession).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['other choices', { modelId: 'large' }, {}],
    ['other trust', {}, { trusted: false }],
    ['another folder', {}, { dir: '/elsewhere', projectId: 'q' }],
  ])('is not used for %s', async (_, given, where) => {
    const { provider, starts, request, settled } = begin();
    void starts.prepare(request());
    const { sessionId, options } = await starts.start(request(given, where));
    expect([sessionId, options]).toEqual(['scripted-2', given]);
    starts.forget('p');
    await settled();
    expect(provider.isAlive('scripted-1')).toBe(false);
  });

  it('is prepared again when the user chooses something else', async () => {
    const { provider, starts, request, settled } = begin();
    void starts.prepare(request());
    void starts.prepare(request({ modelId: 'large' }));
    await settled();
    expect([provider.isAlive('scripted-1'), provider.isAlive('scripted-2')]).toEqual([false, true]);
    expect((await starts.start(request({ modelId: 'large' }))).sessionId).toBe('scripted-2');
  });

  it("uses the user's last choices in this project", async () => {
    const { provider, preferences, starts, request } = begin();
    await preferences.remember('p', 'scripted', { modelId: 'large' });
    void starts.prepare(request());
    expect(await starts.start(request())).toMatchObject({
      sessionId: 'scripted-1',
      options: { modelId: 'large' },
      info: {},
    });
    expect(provider.created).toMatchObject([{ providerOptions: { modelId: 'large', trusted: true } }]);
  });

  it('ends when another is wanted instead, when nobody uses it, and when trust changes', async () => {
    const { provider, starts, request, settled } = begin();
    void starts.prepare(request());
    void starts.prepare(request({}, { dir: '/elsewhere' }));
    await settled();
    expect([provider.isAlive('scripted-1'), provider.isAlive('scripted-2')]).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(preparedMs);
    expect(provider.isAlive('scripted-2')).toBe(false);
    void starts.prepare(request());
    starts.forget('another project');
    await settled();
    expect(provider.isAlive('scripted-3')).toBe(true);
    starts.forget('p');
    await settled();
    expect(provider.isAlive('scripted-3')).toBe(false);
  });

  it('leaves nothing in its provider when it is dropped', async () => {
    const forgetSession = vi.fn(async () => {});
    const { starts, request, settled } = begin({ forgetSession });
    void starts.prepare(request());
    void starts.prepare(request({ modelId: 'large' }));
    await settled();
    expect(forgetSession.mock.calls).toEqual([['scripted-1']]);
    await vi.advanceTimersByTimeAsync(preparedMs);
    expect(forgetSession.mock.calls).toEqual([['scripted-1'], ['scripted-2']]);
  });

  it('is replaced if it died, and retried if it couldn’t start', async () => {
    const { provider, starts, request, settled } = begin();
    void starts.prepare(request());
    await settled();
    await provider.killSession('scripted-1');
    expect((await starts.start(request())).sessionId).toBe('scripted-2');

    const refused = new ProviderError('AGENT_NOT_INSTALLED', 'Install it.');
    const absent = begin({ createSession: () => Promise.reject(refused) });
    await expect(absent.starts.prepare(absent.request())).rejects.toBe(refused);
    await expect(absent.starts.start(absent.request())).rejects.toBe(refused);
  });
});

describe('the options of a prepared agent', () => {
  const models = [{ id: 'large', name: 'Large' }];
  const offering = () => {
    const { capabilities } = createScriptedProvider('scripted');
    let report: (info: SessionInfo) => void = () => {};
    const stopped = vi.fn();
    const begun = begin({
      capabilities: { ...capabilities, models: true },
      onSessionInfo: (_, listener) => {
        report = listener;
        return stopped;
      },
    });
    return { ...begun, report: (info: SessionInfo) => report(info), stopped };
  };

  it('are returned to the caller, with the last choices, and stay with the session', async () => {
    const { preferences, starts, request, settled, report, stopped } = offering();
    await preferences.remember('p', 'scripted', { effort: 'low' });
    const asked = starts.prepare(request());
    await settled();
    report({ models, modelId: 'large' });
    expect(await asked).toEqual({ models, modelId: 'large', effort: 'low' });
    expect(await starts.start(request())).toMatchObject({ info: { models, modelId: 'large' } });
    expect(stopped).toHaveBeenCalled();
  });

  it('are waited for only a limited time, and not once the session has been taken', async () => {
    const { starts, request, settled } = offering();
    const asked = starts.prepare(request({ effort: 'low' }));
    await settled();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await asked).toEqual({ effort: 'low' });
    const again = starts.prepare(request({ effort: 'low' }));
    await starts.start(request({ effort: 'low' }));
    expect(await again).toEqual({ effort: 'low' });
  });
});
