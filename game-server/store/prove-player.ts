import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Account, Accounts } from './accounts.ts'

/**
 * The account with this name, if the token is its own.
 *
 * @throws Problem wrong-token; also for a name that does not exist, so that it does not reveal which names exist
 */
export async function provePlayer(
  accounts: Accounts,
  { playerName, resumeToken }: { playerName: string; resumeToken: string },
): Promise<Account> {
  const account = await accounts.findByToken(resumeToken)
  if (account === undefined || account.key !== toPlayerKey(playerName)) throw new Problem('wrong-token')
  return account
}
