import { routes } from '@liminal/contracts';
import type { Api } from '../connection/api.ts';
import type { ApiResult } from '@liminal/client/call-routes';

/** `session.send`, `project.files`: a route by its group and its name. */
type RouteName = {
  [Group in keyof typeof routes]: `${Group}.${keyof (typeof routes)[Group] & string}`;
}[keyof typeof routes];

type Reply = ApiResult<unknown> | Promise<ApiResult<unknown>>;

export type FakeApi = {
  readonly api: Api;
  /** The arguments of each call of one route, in order. */
  readonly callsOf: (route: RouteName) => unknown[][];
  /** Sets the answer of a route, or a function of its arguments. Other routes succeed with an empty answer. */
  readonly answer: (route: RouteName, reply: Reply | ((...args: never[]) => Reply)) => void;
};

export const failed = (message: string, code = 'INTERNAL'): ApiResult<never> => ({
  ok: false,
  failure: { code, message },
});

/** Every route of the server, without a server. */
export function createFakeApi(): FakeApi {
  const calls: Array<{ route: string; args: unknown[] }> = [];
  const replies = new Map<string, Reply | ((...args: never[]) => Reply)>([
    ['session.send', { ok: true, value: { turnId: 'sent' } }],
    ['session.prepare', { ok: true, value: { info: {} } }],
    ['project.list', { ok: true, value: { projects: [] } }],
    ['workbench.providers', { ok: true, value: { providers: [] } }],
  ]);
  const call = async (route: string, args: unknown[]): Promise<ApiResult<unknown>> => {
    calls.push({ route, args });
    const reply = replies.get(route) ?? { ok: true, value: {} };
    return typeof reply === 'function' ? reply(...(args as never[])) : reply;
  };
  const api = Object.fromEntries(
    Object.entries(routes).map(([group, named]) => [
      group,
      Object.fromEntries(
        Object.keys(named).map((name) => [name, (...args: unknown[]) => call(`${group}.${name}`, args)]),
      ),
    ]),
  );
  return {
    api: api as unknown as Api,
    callsOf: (route) => calls.filter((each) => each.route === route).map(({ args }) => args),
    answer: (route, reply) => void replies.set(route, reply),
  };
}
