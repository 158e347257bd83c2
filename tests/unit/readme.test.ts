import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { environmentSchema } from '../../src/config/environment.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

it('lists every setting with the description in the program', () => {
  const rows = Object.entries(environmentSchema.shape).map(([name, field]) => `| \`${name}\` | ${field.description} |`)
  const table = /<!-- settings -->([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1] ?? ''
  // The formatter pads the columns.
  const lines = table
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +\|/g, ' |'))
  expect(lines.slice(2)).toEqual(rows)
})

it('states the default of each setting', () => {
  const silent = Object.entries(environmentSchema.shape).filter(([, field]) => {
    const { success, data } = field.safeParse(undefined)
    if (!success || data === undefined) return false
    const values = [data].flat().map(String)
    return !values.every((value) => field.description?.includes(`\`${value}\``))
  })
  expect(silent.map(([name]) => name)).toEqual([])
})

it('shows only commands that exist', () => {
  const named = [...readme.matchAll(/npm (?:run )?([a-z][a-z:-]*)/g)].map(([, name]) => name ?? '')
  const known = new Set([...Object.keys(packageFile.scripts), 'ci', 'install', 'registry', 'and'])
  expect(named.filter((name) => !known.has(name))).toEqual([])
})
