import { toPlayerKey } from '../../src/core/player-name.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Account, Accounts } from './accounts.ts'

/** @throws Problem wrong-token; the same for a name that nobody has, so that it does not tell which names exist */
export async function provePlayer(
  accounts: Accounts,
  { playerName, resumeToken }: { playerName: string; resumeToken: string },
): Promise<Account> {
  const account = await accounts.findByToken(resumeToken)
  if (account === undefined || account.key !== toPlayerKey(playerName)) throw new Problem('wrong-token')
  return account
}
