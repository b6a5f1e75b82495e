import { expect, it } from 'vitest';
import { isInsideAgent } from './inside-agent.ts';

const limits = (value: string) => () =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax realtime timeout      ${value}            ${value}            us        \n`;
const none = () => {
  throw new Error('no such file');
};

it('detects that it runs inside an agent, even with a cleared environment', () => {
  expect(isInsideAgent({ LIMINAL_AGENT_MARK: 'x' }, none)).toBe(true);
  expect(isInsideAgent({}, limits('123456789012000001'))).toBe(true);
  expect(isInsideAgent({}, limits('unlimited'))).toBe(false);
  expect(isInsideAgent({}, limits('200000'))).toBe(false);
  expect(isInsideAgent({}, none)).toBe(false);
});
