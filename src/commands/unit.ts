// `npm run unit -- FILES`: runs vitest alone, for tests that need no built site; with `--watch`, again at every change.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const isWatched = process.argv.includes('--watch')
const given = process.argv.slice(2).filter((argument) => argument !== '--watch')
if (given.length === 0) {
  console.error('usage: npm run unit -- FILES [--watch]; npm test runs everything')
  process.exit(2)
}

const compiled = join(root, '.cache/compiled')
enableCompileCache(compiled)
// Tests that need more print this command.
Object.assign(process.env, { NODE_COMPILE_CACHE: compiled, TEST_COMMAND: `npm test -- ${given.join(' ')}` })
process.argv.splice(2, Number.POSITIVE_INFINITY, isWatched ? 'watch' : 'run', ...given)
await import(pathToFileURL(join(root, 'node_modules/vitest/vitest.mjs')).href)
