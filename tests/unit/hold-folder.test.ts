import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeOwner } from '../../src/storage/lease-owner.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hold-folder-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const rounds = 100
const everyMs = 15

/** Tries to hold each folder at its own moment, and prints the numbers of those that it holds. */
const program = `
import { holdFolder } from './src/commands/hold-folder.ts'
const [, home, startMs] = process.argv
process.setMaxListeners(0)
const held = []
const refused = new Set()
for (let round = 0; round < ${rounds}; round++) {
  while (Date.now() < Number(startMs) + round * ${everyMs}) {}
  try {
    holdFolder(home + '/' + round)
    held.push(round)
  } catch (error) {
    refused.add(error.message.replace(/[0-9]+/g, 'N'))
  }
}
console.log(JSON.stringify({ held, refused: [...refused] }))
// The folders stay held until the other process has tried to hold them.
setTimeout(() => process.exit(), 1000)
`

interface Tried {
  readonly held: readonly number[]
  readonly refused: readonly string[]
}

/** Lets two processes try to hold the same folders at the same moments. */
async function holdTogether(): Promise<Tried[]> {
  const args = ['--input-type=module', '-e', program, home, String(Date.now() + 1500)]
  const said = [1, 2].map(() => text(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }).stdout))
  return (await Promise.all(said)).map((line): Tried => JSON.parse(line))
}

describe('a data folder that two processes want to hold at the same moment', () => {
  it.each(['no owner', 'an owner that is gone'])('is held by one of them when it had %s before', async (before) => {
    for (let round = 0; round < rounds; round++) {
      mkdirSync(join(home, String(round)))
      // No system gives a process this number.
      const gone = makeOwner().replace(/\/\d+\//, '/999999999/')
      if (before !== 'no owner') writeFileSync(join(home, String(round), 'owner'), gone)
    }
    const tried = await holdTogether()
    expect(tried.flatMap(({ held }) => held).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: rounds }).keys().toArray(),
    )
    const sentence = `another npm start (process N) uses ${home}/N; stop it, or set DATA_DIR and PORT to run a second one`
    expect(new Set(tried.flatMap(({ refused }) => refused))).toEqual(new Set([sentence.replace(/[0-9]+/g, 'N')]))
  })
})
