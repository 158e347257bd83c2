import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Imports a module in a process of its own and tells which files that loaded. */
function loadedBy(module: string): string[] {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context)
        loaded.add(found.url)
        return found
      },
    })
    await import(${JSON.stringify(module)})
    console.log(JSON.stringify([...loaded]))
    process.exit()`
  const args = ['--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }))
}

it('starts without the package that answers tools, which is loaded with the first call', () => {
  const loaded = loadedBy('./game-server/host/open-game-host.ts')
  expect(loaded.filter((url) => url.endsWith('/game-server/mcp/serve-http.ts'))).toHaveLength(1)
  expect(loaded.filter((url) => url.includes('/@modelcontextprotocol/server/'))).toEqual([])
})
