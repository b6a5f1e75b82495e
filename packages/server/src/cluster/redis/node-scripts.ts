import { redisScript } from './run-script.ts';

/** KEYS[1] and KEYS[2] of every script that writes: the leases and the incarnations of the nodes. */
export const leaseCheck = `
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function isLive(nodeId)
  local ends = redis.call('ZSCORE', KEYS[1], nodeId)
  return ends and tonumber(ends) > now()
end
local function holds(nodeId, incarnation)
  return redis.call('HGET', KEYS[2], nodeId) == incarnation and isLive(nodeId)
end
`;

/**
 * KEYS leases, incarnations, nodes, cluster. ARGV node, incarnation, its earlier ones, lease ms, record, layout, proof.
 * The first node of a cluster sets its layout and its secret.
 */
export const registerScript = redisScript(`${leaseCheck}
local layout = redis.call('HGET', KEYS[4], 'layout')
if layout and tonumber(layout) > tonumber(ARGV[6]) then return {'NEWER', layout} end
local proof = redis.call('HGET', KEYS[4], 'proof')
if proof and proof ~= ARGV[7] then return {'SECRET'} end
local current = redis.call('HGET', KEYS[2], ARGV[1])
local isOurs = current and string.find(' ' .. ARGV[3] .. ' ', ' ' .. current .. ' ', 1, true)
if current and not isOurs and current ~= ARGV[2] and isLive(ARGV[1]) then return {'TAKEN'} end
redis.call('HSET', KEYS[4], 'layout', ARGV[6], 'proof', ARGV[7])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[1], now() + ARGV[4], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[5])
return {'OK'}
`);

/**
 * KEYS leases, incarnations, nodes. ARGV node, incarnation, lease ms, record. Renews the lease, and returns the expired
 * nodes and the time. If the stored record isn't the node's own, the lease counts as expired, so the node writes it
 * again.
 */
export const renewScript = redisScript(`${leaseCheck}
if not holds(ARGV[1], ARGV[2]) or redis.call('HGET', KEYS[3], ARGV[1]) ~= ARGV[4] then return {'LAPSED'} end
redis.call('ZADD', KEYS[1], now() + ARGV[3], ARGV[1])
return {'OK', redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now()), now()}
`);

/** KEYS leases, incarnations. ARGV node, incarnation. For a node that shuts down cleanly. */
export const leaveScript = redisScript(`${leaseCheck}
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then redis.call('ZADD', KEYS[1], 0, ARGV[1]) end
return {'OK'}
`);

/**
 * KEYS leases, incarnations, owners, fence. ARGV node, incarnation, mode, session ids. Returns the fencing number of the
 * claimed sessions, and the other sessions with their owners ('' for none). 'own' claims what has no other owner,
 * 'regain' only what is already ours, and 'take' also takes from a node that is gone.
 */
export const claimScript = redisScript(`${leaseCheck}
if not holds(ARGV[1], ARGV[2]) then return {'LAPSED'} end
local fence = redis.call('INCR', KEYS[4])
local lost = {}
for i = 4, #ARGV do
  local owner = redis.call('HGET', KEYS[3], ARGV[i])
  local node = owner and string.match(owner, '^(.*) %d+$')
  local mine = node == ARGV[1]
  if not node then mine = ARGV[3] ~= 'regain' end
  if node and ARGV[3] == 'take' and not isLive(node) then mine = true end
  if mine then redis.call('HSET', KEYS[3], ARGV[i], ARGV[1] .. ' ' .. fence)
  else lost[#lost + 1] = ARGV[i]; lost[#lost + 1] = node or '' end
end
return {'OK', fence, lost}
`);

/** KEYS leases, incarnations, owners. ARGV node, incarnation, session id, new owner. Only for the owner. */
export const yieldScript = redisScript(`${leaseCheck}
if not holds(ARGV[1], ARGV[2]) then return {'LAPSED'} end
local node, fence = string.match(redis.call('HGET', KEYS[3], ARGV[3]) or '', '^(.*) (%d+)$')
if node == ARGV[1] then redis.call('HSET', KEYS[3], ARGV[3], ARGV[4] .. ' ' .. fence) end
return {'OK'}
`);

/**
 * KEYS leases, incarnations, directory of the node, news, their count. ARGV node, incarnation, 'all' or 'some', most
 * news, then pairs of field and value. An empty value removes the field. 'all' replaces the node's earlier list.
 */
export const listScript = redisScript(`${leaseCheck}
if not holds(ARGV[1], ARGV[2]) then return {'LAPSED'} end
local function tell(key, value)
  local count = redis.call('INCR', KEYS[5])
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[4], '*', 'n', ARGV[1], 'k', key, 'd', value, 'c', count)
end
if ARGV[3] == 'all' then redis.call('DEL', KEYS[3]) end
for i = 5, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[3], ARGV[i])
  else redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
  if ARGV[3] ~= 'all' then tell(ARGV[i], ARGV[i + 1]) end
end
if ARGV[3] == 'all' then tell('', '') end
return {'OK'}
`);
