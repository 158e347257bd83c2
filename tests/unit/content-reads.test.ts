import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, isRunnableDevEnvironment } from 'vite'
import { afterAll, expect, it, vi } from 'vitest'
import { makeContentReads } from '../../src/dev/content-reads.ts'

const folder = mkdtempSync(join(tmpdir(), 'content-reads-'))
const store = join(folder, 'data-store.json')
let content = ''
let reading = Promise.withResolvers<void>()
let mayGoOn = Promise.resolve()
const server = await createServer({
  configFile: false,
  logLevel: 'silent',
  server: { middlewareMode: true, ws: false, watch: null },
  plugins: [
    {
      name: 'content',
      resolveId: (id) => (id === 'astro:data-layer-content' || id === 'page' ? `\0${id}` : undefined),
      async load(id) {
        if (id === '\0page')
          return `let read; export const show = () => read ??= import('astro:data-layer-content').then((all) => all.default)`
        const read = content
        reading.resolve()
        await mayGoOn
        return `export default '${read}'`
      },
    },
  ],
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const { ssr } = server.environments
const show = async (): Promise<string> => {
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('the environment runs no modules')
  return (await ssr.runner.import('page')).show()
}

/** As Astro writes content: into another file, which takes the place of the first, and by a hot update. */
function write(to: string): void {
  content = to
  writeFileSync(`${store}.tmp`, to)
  renameSync(`${store}.tmp`, store)
  const read = ssr?.moduleGraph.getModuleById('\0astro:data-layer-content')
  if (read) ssr?.moduleGraph.invalidateModule(read, undefined, Date.now(), true)
}

it('has pages read content again that was being read when it changed', async () => {
  const onStale = vi.fn()
  const reads = makeContentReads({ environments: server.environments, store, onStale })
  const endNone = reads.begin()
  endNone()
  write('first')
  const endFirst = reads.begin()
  expect(await show()).toBe('first')
  endFirst()
  const hold = Promise.withResolvers<void>()
  mayGoOn = hold.promise
  reading = Promise.withResolvers()
  write('second')
  const ends = [reads.begin()]
  const early = show()
  await reading.promise
  write('third')
  ends.push(reads.begin())
  const late = show()
  hold.resolve()
  expect(await Promise.all([early, late])).toEqual(['second', 'second'])
  expect(await show()).toBe('second')
  expect(onStale).not.toHaveBeenCalled()
  for (const end of ends) end()
  expect(await show()).toBe('third')
  expect(onStale).toHaveBeenCalledTimes(1)
})
