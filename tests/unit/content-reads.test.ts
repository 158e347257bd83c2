import { createServer, isRunnableDevEnvironment } from 'vite'
import { afterAll, expect, it, vi } from 'vitest'
import { makeContentReads } from '../../src/dev/content-reads.ts'

let content = 'first'
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
afterAll(() => server.close())

const { ssr } = server.environments
const show = async (): Promise<string> => {
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('the environment runs no modules')
  return (await ssr.runner.import('page')).show()
}

it('has pages read content again that was being read when it changed', async () => {
  const onStale = vi.fn()
  const reads = makeContentReads(server, onStale)
  const change = (to: string) => {
    content = to
    reads.change()
  }
  const endFirst = reads.begin()
  expect(await show()).toBe('first')
  endFirst()
  const hold = Promise.withResolvers<void>()
  mayGoOn = hold.promise
  reading = Promise.withResolvers()
  change('second')
  const ends = [reads.begin()]
  const early = show()
  await reading.promise
  change('third')
  ends.push(reads.begin())
  const late = show()
  hold.resolve()
  await Promise.all([early, late])
  for (const end of ends) end()
  expect(await show()).toBe('third')
  expect(onStale).toHaveBeenCalledTimes(1)
})
