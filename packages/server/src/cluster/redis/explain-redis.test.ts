import { describe, expect, it } from 'vitest';
import { evicts, explainRedis, safeAddress, unfit } from './explain-redis.ts';

const url = 'redis://user:word@redis.example:6379/1';

describe('explainRedis', () => {
  it.each([
    ['WRONGPASS invalid username-password pair', /rejected the user or password/],
    ['NOAUTH Authentication required.', /LIMINAL_REDIS_URL/],
    ["OOM command not allowed when used memory > 'maxmemory'.", /is out of memory/],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', /an unexpected type/],
    ['ERR value is not an integer or out of range script: 12ab, on @user_script:13.', /an unexpected type/],
    ["NOPERM this user has no permissions to run the 'evalsha' command", /denies its user/],
    ["ERR unknown command 'EVALSHA', with args beginning with:", /lacks required commands .* 6\.2 or newer/],
    ['ERR Unknown Redis command called from script script: 12ab, on @user_script:4.', /lacks required commands/],
    ["NOGROUP No such key 'liminal:commands:n' or consumer group 'owner'", /It is being restored/],
    ["READONLY You can't write against a read only replica.", /doesn't accept writes/],
    ['connect ECONNREFUSED 10.0.0.1:6379', /can't be reached/],
  ])('says what to do about: %s', (message, sentence) => {
    const said = explainRedis(new Error(message), url);
    expect(said).toMatch(sentence);
    expect(said).toContain('redis.example:6379');
    expect(said).not.toContain('word@');
  });

  it('names only the host', () => {
    expect([safeAddress(url), safeAddress('nonsense')]).toEqual(['redis.example:6379', 'its address']);
  });
});

describe('unfit', () => {
  it.each([
    ['redis_version:5.0.14', /6\.2 or newer is required. This one is 5\.0\.14/],
    ['redis_version:6.0.16', /6\.0\.16/],
    ['some_other_server:1', /unknown/],
  ])('refuses %s', (info, sentence) => expect(unfit(`# Server\r\n${info}\r\n`)).toMatch(sentence));
  it.each(['redis_version:6.2.0', 'redis_version:7.0.15', 'redis_version:8.4.1'])('takes %s', (info) => {
    expect(unfit(`# Server\r\n${info}\r\n`)).toBeNull();
  });
});

describe('evicts', () => {
  it('warns about a memory limit with a policy that evicts keys', () => {
    expect(evicts('maxmemory:100\r\nmaxmemory_policy:allkeys-lru\r\n')).toBe('allkeys-lru');
    expect(evicts('maxmemory:100\r\nmaxmemory_policy:noeviction\r\n')).toBeNull();
    expect(evicts('maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n')).toBeNull();
  });
});
