import { describe, expect, it } from 'vitest'
import { type CpuProfile, shareOut } from '../../bench/cpu-profile.ts'
import { ticksOfTree } from '../../bench/other-work.ts'

const root = '/shop/'
const node = (id: number, url: string, functionName = 'f') => ({ id, callFrame: { functionName, url } })
const profile = (samples: readonly (readonly [number, number])[]): CpuProfile => ({
  nodes: [
    node(1, 'file:///shop/src/storage/ledger.ts'),
    node(2, 'file:///shop/src/storage/books/rows.ts'),
    node(3, 'file:///shop/node_modules/@noble/curves/index.js'),
    node(4, 'file:///shop/node_modules/viem/node_modules/ox/index.js'),
    node(5, 'node:internal/crypto/keys'),
    node(6, '', '(garbage collector)'),
    node(7, '', '(idle)'),
    node(8, '', 'writev'),
    node(9, 'file:///shop/src/http/listen.ts'),
  ],
  samples: samples.map(([id]) => id),
  timeDeltas: samples.map(([, micros]) => micros),
})

describe('a profile', () => {
  it('shows whose code took the time, largest first, without idle time', () => {
    const samples = [1, 2, 3, 4, 5, 6, 8].map((id) => [id, id === 1 ? 400 : 100] as const)
    expect(Object.entries(shareOut([profile([...samples, [7, 9000]])], root))).toEqual([
      ['src/storage', 50],
      ['@noble/curves', 10],
      ['ox', 10],
      ['node:internal/crypto', 10],
      ['garbage collection', 10],
      ['engine, writev', 10],
    ])
  })

  it('sums up threads, and groups shares below one percent', () => {
    expect(shareOut([profile([[1, 970]]), profile([[3, 24]]), profile([[5, 6]])], root)).toEqual({
      ...{ 'src/storage': 97, '@noble/curves': 2, 'the rest': 1 },
    })
  })
})

describe('the CPU time of the benchmark itself', () => {
  it('is that of a process and its descendants, and no others', () => {
    const times = new Map([
      [1, { parent: 0, ticks: 1000 }],
      [10, { parent: 1, ticks: 1 }],
      [11, { parent: 10, ticks: 20 }],
      [12, { parent: 11, ticks: 300 }],
      [20, { parent: 1, ticks: 4000 }],
    ])
    expect(ticksOfTree(times, 10)).toBe(321)
  })
})
