/** Why the host ends a socket; 4000 and above are the protocol's own. */
export const closeCodes = {
  left: { code: 1000, reason: 'goodbye' },
  restart: { code: 1012, reason: 'restart' },
  'no-join': { code: 4000, reason: 'join timeout' },
  replaced: { code: 4001, reason: 'resumed elsewhere' },
  faults: { code: 4002, reason: 'protocol errors' },
  flood: { code: 4002, reason: 'flood' },
  slow: { code: 4003, reason: 'slow consumer' },
  kicked: { code: 4004, reason: 'sent away' },
  idle: { code: 4008, reason: 'idle' },
} as const
