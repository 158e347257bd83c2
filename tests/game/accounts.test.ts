import { afterAll, describe, expect, it } from 'vitest'
import { makeAccounts } from '../../game-server/store/accounts.ts'
import { openTestLedger } from '../support/test-databases.ts'

const db = await openTestLedger()
const accounts = makeAccounts({ db, now: Date.now })
afterAll(() => db.destroy())

async function joined(name: string, token?: string) {
  const answer = await accounts.join({ name, kind: 'agent', ...(token !== undefined && { token }) })
  if (answer.is !== 'joined') throw new Error(answer.is)
  return answer
}

describe('accounts', () => {
  it('gives a name to the first player who asks for it, and a token that cannot be read from the ledger', async () => {
    const ada = await joined('Ada')
    expect(ada.account).toEqual({ key: 'ada', name: 'Ada', kind: 'agent' })
    expect(ada.token).toMatch(/^rt_[A-Za-z0-9_-]{43}$/)
    const stored = JSON.stringify(await db.selectFrom('player').selectAll().execute())
    expect(stored).not.toContain(ada.token)
    expect(await accounts.findByToken(ada.token)).toEqual(ada.account)
    expect(await accounts.findByName('ADA')).toEqual(ada.account)
  })

  it('never refuses play for a name that is taken: the second Ada is Ada-2', async () => {
    const second = await joined('ada')
    expect([second.account.name, second.requested, second.isResumed]).toEqual(['ada-2', 'ada', false])
  })

  it('finds names for a crowd of players who ask for the same one, each within 24 characters', async () => {
    const name = 'The-longest-name-allowed'
    const crowd = await Promise.all(Array.from({ length: 60 }, () => joined(name)))
    const names = new Set(crowd.map(({ account }) => account.key))
    expect(names.size).toBe(60)
    for (const key of names) expect(key).toMatch(/^[a-z0-9-]{1,24}$/)
  })

  it('numbers the first nine players of a name in turn, and gives later ones numbers found without trying each', async () => {
    const names: string[] = []
    for (let count = 1; count <= 12; count++) names.push((await joined('Eve')).account.name)
    expect(names.slice(0, 9)).toEqual(['Eve', ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `Eve-${number}`)])
    const numbers = names.slice(9).map((name) => Number(name.slice('Eve-'.length)))
    expect(numbers).not.toEqual([10, 11, 12])
    for (const number of numbers) expect(number).toBeGreaterThanOrEqual(10)
  })

  it('knows a player by the token, whatever name the client still asks for', async () => {
    await joined('Bo')
    const second = await joined('Bo')
    const again = await joined('Bo', second.token)
    expect([again.account.name, again.isResumed, again.requested]).toEqual(['Bo-2', true, 'Bo'])
  })

  it('reports a wrong token differently from a wrong name, and reserves the names of the game host', async () => {
    expect(await accounts.join({ name: 'Ada', kind: 'human', token: 'rt_guess' })).toEqual({ is: 'wrong-token' })
    for (const name of ['', '-a', 'a b', 'ä', 'x'.repeat(25), 'Operator', 'DUNGEON', 'a\n'])
      expect(await accounts.join({ name, kind: 'human' }), name).toEqual({ is: 'wrong-name' })
  })
})
