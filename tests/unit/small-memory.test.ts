import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  gameMemory,
  neededBytes,
  smallMemory,
  smallYoungGeneration,
  toBuildBytes,
  toMemoryWarning,
} from '../../src/core/small-memory.ts'

it.each(['deploy/Dockerfile', 'deploy/systemd/farthing-site.service', 'deploy/systemd/farthing-game.service'])(
  '%s sets the same memory limits as the programs themselves',
  (file) => {
    for (const [name, value] of Object.entries(smallMemory))
      expect(readFileSync(file, 'utf8').split(/[\s=]/).join('=')).toContain(`${name}=${value}`)
  },
)

it.each([
  'deploy/systemd/farthing-game.service',
  'deploy/compose.yaml',
  'deploy/compose.several.yaml',
  'deploy/kubernetes/base/game.yaml',
])('the game host in %s asks for large pages, which the site does not', (file) => {
  const { GLIBC_TUNABLES: value } = gameMemory
  expect(readFileSync(file, 'utf8').match(/\bGLIBC_TUNABLES\b\W+(?:value: )?\S+/g)).toEqual([
    expect.stringContaining(value),
  ])
})

it.each([
  'deploy/Dockerfile',
  'deploy/systemd/farthing-site.service',
  'deploy/compose.yaml',
  'deploy/compose.several.yaml',
  'deploy/kubernetes/base/site.yaml',
])('the command in %s that starts the site limits its memory', (file) => {
  const commands = readFileSync(file, 'utf8').match(/\bnode\b(?:(?!\bnode\b)[\s\S])*?programs\/site\.mjs/g) ?? []
  expect(commands).toHaveLength(1)
  expect(commands[0]).toContain(smallYoungGeneration)
})

it('low memory is reported with figures, and only if there is less than a task needs', () => {
  const mb = 1024 ** 2
  expect(toMemoryWarning('the build', 512 * mb, 512 * mb)).toBeUndefined()
  expect(toMemoryWarning('the build', 512 * mb, 100 * mb)).toBe(
    'the build takes about 512 MB of memory, and 100 MB are left here: it may be killed, or be slow with swap',
  )
})

it('the memory of a build grows with its posts beyond the first thousand', () => {
  expect([0, 1000].map(toBuildBytes)).toEqual([neededBytes.build, neededBytes.build])
  expect(toBuildBytes(20_000) / 1024 ** 3).toBeCloseTo(2.5, 1)
})
