import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { getLevel } from '../../game-server/core/get-level.ts'
import { sightOf } from '../../game-server/core/sight.ts'
import { step } from '../../game-server/core/step.ts'
import { getPlayer, makeWorld } from '../../game-server/core/world.ts'

it('keeps what is lit in memory for the players who looked last only, and shows all of them the same', () => {
  setFlagsFromString('--expose-gc')
  const gc: NodeJS.GCFunction = runInNewContext('gc')
  const readBuffers = () => {
    void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    return process.memoryUsage().arrayBuffers
  }
  const world = makeWorld('a crowd')
  step(world, { is: 'join', name: 'One', kind: 'agent' }, [])
  const player = getPlayer(world, 1)
  const level = getLevel(world, player.depth)
  const seen = () => [...sightOf(level, player).cells.subarray(0, sightOf(level, player).count)]
  const first = seen()
  expect(first.length).toBeGreaterThan(8)
  const before = readBuffers()
  const crowd = Array.from({ length: 8000 }, () => ({ ...player }))
  const counts = new Set(crowd.map((one) => sightOf(level, one).count))
  expect([...counts]).toEqual([first.length])
  // Each takes about 4 KB.
  expect(readBuffers() - before).toBeLessThan(12 * 1024 * 1024)
  expect(seen()).toEqual(first)
  expect(crowd).toHaveLength(8000)
})
