import { expect, it } from 'vitest'
import type { Command } from '../../game-server/core/step.ts'
import { rules } from '../../game-server/core/world.ts'
import { type Claim, verifyRun } from '../../game-server/cup/verify-run.ts'

/** Long enough for two checkpoints and some keys more; nobody dies of looking and waiting. */
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

it('believes a life outside of any cup of which everything is claimed as it was', () => {
  expect(checkpoints).toHaveLength(2)
  expect([judge({}), verifyRun(claim).is]).toEqual(['verified', 'verified'])
})

it('says from which checkpoint on the world is a different one', () => {
  const [first = '', second = ''] = checkpoints
  expect(judge({ checkpoints: ['0', second] })).toBe('the world is a different one after command 100')
  expect(judge({ checkpoints: [first, '0'] })).toBe('the world is a different one after command 200')
  expect(judge({ checkpoints: [first] })).toContain('the number of checkpoints')
  expect(judge({ checkpoints: [first, second, '0'] })).toBe('the world is a different one after command 300')
  expect(judge({ hash: '0' })).toBe('the world is a different one after the last command')
})

it.each(['score', 'depth', 'turn', 'gold', 'kills'] as const)('does not believe another %s', (figure) => {
  expect(judge({ life: { ...life, [figure]: life[figure] + 1 } })).toBe(
    `its ${figure} is ${life[figure]} and not ${life[figure] + 1}`,
  )
})

it('does not believe that somebody else’s doing ended a life, or that a person lived what an agent did', () => {
  expect(judge({ life: { ...life, cause: 'killed by a drake' } })).toBe(
    'its cause is ran out of time and not killed by a drake',
  )
  expect(judge({ life: { ...life, kind: 'human' } })).toBe('its kind is agent and not human')
})

it('believes in no escape that was none, in no player who never came, and in nobody else’s life', () => {
  expect(judge({ life: { ...life, hasWon: true } })).toBe('its hasWon is false and not true')
  expect(judge({ player: 2 })).toBe('no player with this number joined')
  expect(judge({ name: 'Bo' })).toBe('it is the life of Ada and not of Bo')
  expect(judge({ rules: rules + 1 })).toContain(`it was played by rules ${rules + 1}`)
})
