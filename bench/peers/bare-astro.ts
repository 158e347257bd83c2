import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An Astro site with a page per post and a list of them, and nothing else. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"bare","type":"module","private":true}',
  'astro.config.mjs': `import mdx from '@astrojs/mdx'
import { defineConfig } from 'astro/config'
export default defineConfig({ integrations: [mdx()], cacheDir: './.astro/', markdown: { syntaxHighlight: false } })
`,
  'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'
import { z } from 'astro/zod'
const schema = z.object({ title: z.string(), excerpt: z.string(), publishedAt: z.coerce.date(), tags: z.array(z.string()) })
export const collections = { posts: defineCollection({ loader: glob({ base: './content/posts', pattern: '*.mdx' }), schema }) }
`,
  'src/pages/index.astro': `---
import { getCollection } from 'astro:content'
const posts = await getCollection('posts')
---
<html lang="en"><head><title>Bare</title></head><body>
<ul>{posts.map(({ id, data }) => <li><a href={'/posts/' + id}>{data.title}</a></li>)}</ul></body></html>
`,
  'src/pages/posts/[slug].astro': `---
import { getCollection, render } from 'astro:content'
export const getStaticPaths = async () =>
  (await getCollection('posts')).map((post) => ({ params: { slug: post.id }, props: { post } }))
const { post } = Astro.props
const { Content } = await render(post)
---
<html lang="en"><head><title>{post.data.title}</title></head><body>
<h1>{post.data.title}</h1><p>{post.data.excerpt}</p><Content /></body></html>
`,
}

/** Writes the bare site into a folder; its caller writes the posts. */
export function writeBareAstro(folder: string, root: string): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}
