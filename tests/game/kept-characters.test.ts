import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { rememberCharacters } from '../../game-server/mcp/characters.ts'
import { keepCharacters } from '../../game-server/mcp/stdio/keep-characters.ts'

const module = fileURLToPath(new URL('../../game-server/mcp/stdio/keep-characters.ts', import.meta.url))
const makeFile = (): string => join(mkdtempSync(join(tmpdir(), 'kept-characters-')), 'undercroft/game.json')

/** Starts a process that stores characters again and again, each with a name of its own. */
const keepMany = (file: string, who: string, times: number) =>
  promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { keepCharacters } from ${JSON.stringify(module)}
    const characters = keepCharacters(${JSON.stringify(file)})
    for (let at = 0; at < ${times}; at++) characters.keep('${who}-' + at, { name: '${who}-' + at, token: 'rt_' + at })`,
  ])

it('loses no token when several programs of one user join at the same time', async () => {
  const file = makeFile()
  const times = 50
  await Promise.all(['Ada', 'Bob', 'Cy'].map((who) => keepMany(file, who, times)))
  const kept = keepCharacters(file)
  for (const who of ['Ada', 'Bob', 'Cy'])
    for (let at = 0; at < times; at++) expect(kept.find(`${who}-${at}`)?.token, `${who}-${at}`).toBe(`rt_${at}`)
  expect(readdirSync(dirname(file))).toEqual(['game.json'])
})

it('keeps a token after a program died while it stored one', () => {
  const file = makeFile()
  mkdirSync(`${file}.lock`, { recursive: true })
  keepCharacters(file).keep('Ada', { name: 'Ada-2', token: 'rt_1' })
  expect(keepCharacters(file).find('ada-2')).toEqual({ name: 'Ada-2', token: 'rt_1' })
  expect(readdirSync(dirname(file))).toEqual(['game.json'])
})

it('finds a character by the name that was asked for or given, whatever its letter case', () => {
  const characters = rememberCharacters(undefined)
  const ada = { name: 'Ada-2', token: 'rt_ada' }
  characters.keep('Ada', ada)
  expect(['ADA', 'ada-2', 'Bo'].map(characters.find)).toEqual([ada, ada, undefined])
  expect(characters.current()).toBe('rt_ada')
})

it('uses a token passed by the client for any name, until a join succeeds', () => {
  const characters = rememberCharacters('rt_shown')
  expect([characters.current(), characters.hasPlayed()]).toEqual(['rt_shown', false])
  expect(characters.find('Ada')).toEqual({ name: 'Ada', token: 'rt_shown' })
  characters.keep('Bo', { name: 'Bo', token: 'rt_bo' })
  expect([characters.current(), characters.hasPlayed()]).toEqual(['rt_bo', true])
  expect(characters.find('Bo')?.token).toBe('rt_bo')
})
