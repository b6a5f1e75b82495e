import { leaseCheck } from './node-scripts.ts';
import { redisScript } from './run-script.ts';

/*
 * A session in Redis: `head` has the current epoch and seq, `items` the newest state of everything by key, `index` the
 * order of turns and items, `changes` the last changes. A growing item is stored as its last full state and the text
 * appended since, in pieces, so the cost of an update doesn't depend on the length of the text.
 *
 * KEYS leases, incarnations, owners, head, items, index, changes. ARGV node, incarnation, session id, fence, …
 */
/** The most text that one update of streaming text copies. */
const pieceBytes = 8 * 1024;

const ownerCheck = `${leaseCheck}
if not holds(ARGV[1], ARGV[2]) then return {'LAPSED'} end
if redis.call('HGET', KEYS[3], ARGV[3]) ~= ARGV[1] .. ' ' .. ARGV[4] then return {'FENCED'} end
local function countOf(key) return 'pieces:' .. key end
local function grow(key, text)
  local count = tonumber(redis.call('HGET', KEYS[5], countOf(key)) or '0')
  local last = 'piece:' .. count .. ':' .. key
  if count > 0 and redis.call('HSTRLEN', KEYS[5], last) < ${pieceBytes} then
    redis.call('HSET', KEYS[5], last, redis.call('HGET', KEYS[5], last) .. text)
  else
    redis.call('HSET', KEYS[5], countOf(key), count + 1, 'piece:' .. (count + 1) .. ':' .. key, text)
  end
end
local function forgetPieces(key)
  local count = redis.call('HGET', KEYS[5], countOf(key))
  if not count then return end
  for place = 1, tonumber(count) do redis.call('HDEL', KEYS[5], 'piece:' .. place .. ':' .. key) end
  redis.call('HDEL', KEYS[5], countOf(key))
end
-- As step-arguments.ts lists them; a call takes only so many arguments.
local function apply(from)
  local function inCalls(first, last, call)
    for i = first, last, 1000 do call(i, math.min(last, i + 999)) end
    return last + 1
  end
  local at = inCalls(from + 1, from + ARGV[from], function(i, j)
    redis.call('HSET', KEYS[5], unpack(ARGV, i, j))
  end)
  at = inCalls(at + 1, at + ARGV[at], function(i, j)
    redis.call('ZADD', KEYS[6], 'NX', unpack(ARGV, i, j))
  end)
  for i = at, #ARGV, 3 do
    local what, key, value = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if what == 'grow' then
      grow(key, value)
    elseif what == 'settle' then
      forgetPieces(key)
    elseif what == 'drop' then
      redis.call('HDEL', KEYS[5], key)
    else
      redis.call('HSETNX', KEYS[5], key, value)
    end
  end
end
`;

/** ARGV … epoch, seq before, seq after, most changes, keys, changes, steps. Ignores a duplicate. */
export const publishScript = redisScript(`${ownerCheck}
local head = redis.call('HMGET', KEYS[4], 'epoch', 'seq')
if head[1] == ARGV[5] and head[2] == ARGV[7] then return {'OK'} end
if head[1] ~= ARGV[5] or head[2] ~= ARGV[6] then return {'RESET'} end
apply(11)
redis.call('HSET', KEYS[4], 'seq', ARGV[7])
redis.call('XADD', KEYS[7], 'MAXLEN', '~', ARGV[8], '*', 'p', ARGV[6], 's', ARGV[7], 'k', ARGV[9], 'd', ARGV[10])
return {'OK'}
`);

const begin = `
redis.call('XTRIM', KEYS[7], 'MAXLEN', 0)
redis.call('XADD', KEYS[7], '*', 'r', ARGV[5], 's', ARGV[6])
`;

/** ARGV … epoch, seq, mark, whether the steps have the whole session, steps. Replaces everything. */
export const baseScript = redisScript(`${ownerCheck}
redis.call('DEL', KEYS[4], KEYS[5], KEYS[6])
apply(9)
redis.call('HSET', KEYS[4], 'epoch', ARGV[5], 'seq', ARGV[6], 'mark', ARGV[7], 'whole', ARGV[8])
${begin}
return {'OK'}
`);

/** ARGV … epoch, whether this was the last page, steps. Adds older parts behind the newest page. */
export const fillScript = redisScript(`${ownerCheck}
if redis.call('HGET', KEYS[4], 'epoch') ~= ARGV[5] then return {'RESET'} end
apply(7)
redis.call('HSET', KEYS[4], 'whole', ARGV[6])
return {'OK'}
`);

/** ARGV … epoch, seq, mark, steps. Keeps what was published from disk, and continues live under new numbers. */
export const adoptScript = redisScript(`${ownerCheck}
local head = redis.call('HMGET', KEYS[4], 'mark', 'whole')
if head[1] ~= ARGV[7] or head[2] ~= '1' then return {'RESET'} end
apply(8)
redis.call('HSET', KEYS[4], 'epoch', ARGV[5], 'seq', ARGV[6], 'mark', '')
${begin}
return {'OK'}
`);

/** ARGV node, incarnation, session id, fence. Removes a deleted session. */
export const removeScript = redisScript(`${ownerCheck}
redis.call('XTRIM', KEYS[7], 'MAXLEN', 0)
redis.call('XADD', KEYS[7], '*', 'r', '')
redis.call('EXPIRE', KEYS[7], 60)
redis.call('DEL', KEYS[4], KEYS[5], KEYS[6])
redis.call('HDEL', KEYS[3], ARGV[3])
return {'OK'}
`);

/** `items` is the key of the hash. */
const moreText = (items: string): string => `
local function moreText(key)
  local pieces = {}
  for place = 1, tonumber(redis.call('HGET', ${items}, 'pieces:' .. key) or '0') do
    pieces[place] = redis.call('HGET', ${items}, 'piece:' .. place .. ':' .. key) or ''
  end
  return table.concat(pieces)
end
`;

/** KEYS items. ARGV key. Returns the last full state and the text appended since. */
export const itemScript = redisScript(`${moreText('KEYS[1]')}
return {redis.call('HGET', KEYS[1], ARGV[1]) or '', moreText(ARGV[1])}
`);

/**
 * KEYS head, items, index, changes. ARGV the turn to read before ('' for the newest), most turns, most bytes, most
 * recent changes. A consistent snapshot: a page of complete turns, the single values, and the recently changed keys.
 */
export const readScript = redisScript(`${moreText('KEYS[2]')}
local head = redis.call('HMGET', KEYS[1], 'epoch', 'seq', 'whole')
if not head[1] then return {'NONE'} end
local high = '+inf'
if ARGV[1] ~= '' then
  local score = redis.call('ZSCORE', KEYS[3], 'turn:' .. ARGV[1])
  if not score then return {'TURN', head[3]} end
  high = '(' .. score
end
local wanted, keys, turns, entries = {}, {}, {}, {}
local function want(key)
  if not wanted[key] then wanted[key] = true; keys[#keys + 1] = key end
end
local waiting, bytes, waitingBytes, offset, hasMore = {}, 0, 0, 0, false
local function accept()
  for _, key in ipairs(waiting) do entries[#entries + 1] = key; want(key) end
  bytes = bytes + waitingBytes
  waiting = {}
  waitingBytes = 0
end
while not hasMore do
  local chunk = redis.call('ZREVRANGEBYSCORE', KEYS[3], high, '-inf', 'LIMIT', offset, 200)
  if #chunk == 0 then accept() break end
  for _, key in ipairs(chunk) do
    if string.sub(key, 1, 5) == 'turn:' then
      if #turns > 0 and (#turns >= tonumber(ARGV[2]) or bytes + waitingBytes > tonumber(ARGV[3])) then
        hasMore = true
        break
      end
      accept()
      turns[#turns + 1] = key
      want(key)
    else
      waiting[#waiting + 1] = key
      waitingBytes = waitingBytes + redis.call('HSTRLEN', KEYS[2], key)
    end
  end
  offset = offset + #chunk
end
if head[3] ~= '1' then hasMore = true end
for _, key in ipairs({'queue', 'status', 'info', 'permissions'}) do want(key) end
local recent = {}
local last = '0-0'
if tonumber(ARGV[4]) > 0 then
  for place, entry in ipairs(redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', ARGV[4])) do
    if place == 1 then last = entry[1] end
    local fields = entry[2]
    if fields[1] == 'r' then break end
    recent[#recent + 1] = fields[2]
    recent[#recent + 1] = fields[6]
    for _, pair in ipairs(cjson.decode(fields[6])) do
      want(string.match(pair[1], '^(turn:.*):%a+$') or pair[1])
    end
  end
end
local values = {}
for _, key in ipairs(keys) do
  values[#values + 1] = redis.call('HGET', KEYS[2], key) or ''
  values[#values + 1] = moreText(key)
end
return {'OK', head[1], head[2], last, hasMore and '1' or '0', turns, entries, recent, keys, values}
`);
