import { z } from 'zod'
import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Account, Accounts } from './accounts.ts'

/** How a request says which player it is from. */
export const proofShape = {
  playerName: z.string('must be the name of a player').max(64),
  resumeToken: z.string('must be the resume token of the player').max(128),
}

/** @throws Problem wrong-token; the same for a name that nobody has, so that it does not tell which names exist */
export async function provePlayer(
  accounts: Accounts,
  { playerName, resumeToken }: { playerName: string; resumeToken: string },
): Promise<Account> {
  const account = await accounts.findByToken(resumeToken)
  if (account === undefined || account.key !== toPlayerKey(playerName)) throw new Problem('wrong-token')
  return account
}
