import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { indexFiles } from '../../src/build/index-files.ts'
import { makeLibrary } from '../../src/mcp/library.ts'
import { deskUrl, openDesk } from '../support/tool-desk.ts'

const slugs = ['tides', 'größe', '潮の満ち引き', 'tides-&-sands']
const textOf = (slug: string): string => `# ${slug}\n`

let desk: ReturnType<typeof openDesk>
const asked: (string | undefined)[] = []
beforeAll(async () => {
  const client = mkdtempSync(join(tmpdir(), 'farthing-readings-'))
  mkdirSync(join(client, 'posts'))
  for (const slug of slugs) writeFileSync(join(client, 'posts', `${slug}.md`), textOf(slug))
  const manifest = await indexFiles(client, new Map())
  const posts = slugs.map((slug) => ({ slug, title: slug, excerpt: slug }))
  desk = openDesk({
    library: makeLibrary({ client, manifest, posts, skills: [] }),
    searchTranscripts({ q, post }) {
      asked.push(post)
      return { ok: true, query: q, count: 0, hits: [] }
    },
  })
})

const ask = async (method: string, params: object) =>
  (await desk.post({ jsonrpc: '2.0', id: 1, method, params })).json()
const call = async (name: string, args: object) => (await ask('tools/call', { name, arguments: args })).result

describe.each(slugs)('a post with the name %s', (slug) => {
  const address = encodeURI(`${deskUrl}/posts/${slug}`)

  it.each([
    ['its name', slug],
    ['its address', address],
    ['the address of its markdown, with a place in it', `${address}.md#end`],
    ['its address with a slash at its end', `${address}/`],
    ['the same, and where the reader came from', `${address}/?ref=a/b`],
    ['its address as people read it', `${deskUrl}/posts/${slug}`],
  ])('is read by %s', async (_, given) => {
    expect((await call('get_post', { slug: given })).content).toEqual([{ type: 'text', text: textOf(slug) }])
    await call('search_transcripts', { query: 'sea', post: given })
    expect(asked.at(-1)).toBe(slug)
  })

  it('is read as the resource that is listed', async () => {
    const { resources } = (await ask('resources/list', {})).result
    const { uri } = resources.find(({ name }: { name: string }) => name === slug)
    expect(uri).toBe(`${address}.md`)
    expect((await ask('resources/read', { uri })).result.contents).toMatchObject([{ uri, text: textOf(slug) }])
  })
})

it.each(['%', '%zz', '%2e%2e', '\ud800', 'größe/../tides%00'])(
  'says of %j that there is no such post',
  async (name) => {
    expect(await call('get_post', { slug: name })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('not-found') }],
    })
    const uri = `${deskUrl}/posts/${name.replace(/^.*\//, '')}.md`
    expect((await ask('resources/read', { uri })).error).toMatchObject({ message: expect.stringMatching(/not found/i) })
  },
)
