import { loadRenderers } from 'astro:container'
import { keptTexts } from 'virtual:kept-texts'
import { getPostImages } from 'virtual:make-images'
import { getContainerRenderer } from '@astrojs/mdx/container-renderer'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { z } from 'zod'
import { toByline } from './authors.ts'
import { isBundled } from './bundled-texts.ts'
import { plainCode } from './plain-code.ts'
import { getMarkdown } from './post-texts.ts'
import { getPosts, type Post } from './posts.ts'
import type { RenderedPost } from './posts-export.ts'
import { renderWriting } from './render-writing.ts'

/** Of plain texts: components may show what other files say. */
const keptHtml = keptTexts.openKind<string>({ name: 'html', schema: z.string(), isKept: (post) => !isBundled(post) })

const toRendered =
  (container: AstroContainer) =>
  async (post: Post): Promise<RenderedPost> => {
    const [markdown, html, { cover, square }] = await Promise.all([
      getMarkdown(post),
      keptHtml(post, async () => {
        const { Content } = await renderWriting(post)
        return plainCode(await container.renderToString(Content))
      }),
      getPostImages(post),
    ])
    return {
      slug: post.id,
      data: { ...post.data, author: toByline(post.data) },
      cover,
      square,
      markdown,
      html,
    }
  }

async function renderAll(): Promise<RenderedPost[]> {
  const container = await AstroContainer.create({ renderers: await loadRenderers([getContainerRenderer()]) })
  return Promise.all((await getPosts()).map(toRendered(container)))
}

let rendered: Promise<RenderedPost[]> | undefined

/** The published posts with their texts, newest first. Build-time only; a build renders them once for all documents. */
export function renderPosts(): Promise<RenderedPost[]> {
  if (import.meta.env.DEV) return renderAll()
  rendered ??= renderAll()
  return rendered
}
