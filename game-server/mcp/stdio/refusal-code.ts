import { z } from 'zod'
import type { RefusalCode } from '../../host/dungeon.ts'

/** Why the game says no; a reason that is newer than this program is still told by its message. */
export const refusalCode = z
  .enum([
    'bad_name',
    'bad_key',
    'not_joined',
    'dead',
    'rate_limited',
    'server_full',
    'wrong_token',
    'muted',
    'kicked',
    'cup_closed',
    'no_entry',
  ])
  .catch('server_full') satisfies z.ZodType<RefusalCode>
