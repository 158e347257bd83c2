import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

it('begin in the modules that know what each engine needs', () => {
  const files = globSync(['src/**/*.ts', 'game-server/**/*.ts', 'functions/**/*.ts'], { cwd: root })
  const beginning = files.filter((file) =>
    /\.(transaction|startTransaction)\(\)/.test(readFileSync(root + file, 'utf8')),
  )
  expect(beginning).toEqual(['src/storage/group-commit.ts', 'src/storage/transact.ts'])
})
