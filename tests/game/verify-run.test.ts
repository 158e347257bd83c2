import { expect, it } from 'vitest'
import type { Command } from '../../game-server/core/step.ts'
import { rules } from '../../game-server/core/world.ts'
import { type Claim, verifyRun } from '../../game-server/cup/verify-run.ts'

/** Enough for two checkpoints and some more keys; looking and waiting kills nobody. */
const keys = Array.from({ length: 230 }, (_, at): Command => ({ is: 'key', player: 1, key: at % 3 ? 'look' : 'S' }))
const claim: Claim = {
  ...{ rules, seed: 'a seed', player: 1, name: 'Ada', cup: undefined },
  commands: [{ is: 'join', name: 'Ada', kind: 'agent' }, ...keys],
}
const told = verifyRun(claim)
if (told.is !== 'verified') throw new Error(told.why)
const { hash, checkpoints, life } = told

const judge = (change: Partial<Claim>) => {
  const verdict = verifyRun({ ...claim, hash, checkpoints, life, ...change })
  return verdict.is === 'refused' ? verdict.why : verdict.is
}

it('accepts a life outside of any cup whose claims are all true', () => {
  expect(checkpoints).toHaveLength(2)
  expect([judge({}), verifyRun(claim).is]).toEqual(['verified', 'verified'])
})

it('says after which checkpoint the world differs', () => {
  const [first = '', second = ''] = checkpoints
  expect(judge({ checkpoints: ['0', second] })).toBe('the world is a different one after command 100')
  expect(judge({ checkpoints: [first, '0'] })).toBe('the world is a different one after command 200')
  expect(judge({ checkpoints: [first] })).toContain('the number of checkpoints')
  expect(judge({ checkpoints: [first, second, '0'] })).toBe('the world is a different one after command 300')
  expect(judge({ hash: '0' })).toBe('the world is a different one after the last command')
})

it.each(['score', 'depth', 'turn', 'gold', 'kills'] as const)('refuses another %s', (figure) => {
  expect(judge({ life: { ...life, [figure]: life[figure] + 1 } })).toBe(
    `its ${figure} is ${life[figure]} and not ${life[figure] + 1}`,
  )
})

it('refuses a life that another player ended, and one of an agent that is claimed by a person', () => {
  expect(judge({ life: { ...life, cause: 'killed by a drake' } })).toBe(
    'its cause is ran out of time and not killed by a drake',
  )
  expect(judge({ life: { ...life, kind: 'human' } })).toBe('its kind is agent and not human')
})

it('refuses a false escape, a player who never joined, and the life of another player', () => {
  expect(judge({ life: { ...life, hasWon: true } })).toBe('its hasWon is false and not true')
  expect(judge({ player: 2 })).toBe('no player with this number joined')
  expect(judge({ name: 'Bo' })).toBe('it is the life of Ada and not of Bo')
  expect(judge({ rules: rules + 1 })).toContain(`it was played by rules ${rules + 1}`)
})
