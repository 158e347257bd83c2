import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoaderContext } from 'astro/loaders'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { contentFolder } from '../../src/content/content-folder.ts'

it('a text whose file is renamed without changing its address is read from its new file', async () => {
  const root = mkdtempSync(join(tmpdir(), 'content-'))
  const folder = join(root, 'content/posts')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'My Post.mdx'), 'Text.')
  const entries = new Map<string, { id: string; filePath?: string }>()
  const context = {
    config: { root: pathToFileURL(`${root}/`), srcDir: pathToFileURL(`${root}/src/`) },
    collection: 'posts',
    entryTypes: new Map([['.mdx', { getEntryInfo: async () => ({ data: {}, body: '' }), contentModuleTypes: '' }]]),
    logger: { warn: () => {}, error: () => {} },
    parseData: async ({ data }: { data: unknown }) => data,
    generateDigest: () => '',
    store: {
      keys: () => [...entries.keys()],
      entries: () => [...entries],
      get: (id: string) => entries.get(id),
      set: (entry: { id: string }) => entries.set(entry.id, entry),
      delete: (id: string) => entries.delete(id),
      addModuleImport: () => {},
    },
  } as unknown as LoaderContext
  const load = async () => {
    await contentFolder({ base: './content/posts', pattern: '*.mdx', schema: z.object({}) }).load(context)
    return [...entries].map(([id, { filePath }]) => [id, filePath])
  }
  try {
    expect(await load()).toEqual([['my-post', 'content/posts/My Post.mdx']])
    renameSync(join(folder, 'My Post.mdx'), join(folder, 'my-post.mdx'))
    expect(await load()).toEqual([['my-post', 'content/posts/my-post.mdx']])
  } finally {
    rmSync(root, { recursive: true })
  }
})
