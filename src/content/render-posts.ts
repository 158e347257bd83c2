import { loadRenderers } from 'astro:container'
import { getPostImages } from 'virtual:make-images'
import { getContainerRenderer } from '@astrojs/mdx/container-renderer'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { toByline } from './authors.ts'
import { getWriting } from './get-writing.ts'
import { plainCode } from './plain-code.ts'
import { getPosts, type Post } from './posts.ts'
import type { RenderedPost } from './posts-export.ts'
import { renderWriting } from './render-writing.ts'
import { toMarkdown } from './to-markdown.ts'

const toRendered =
  (container: AstroContainer) =>
  async (post: Post): Promise<RenderedPost> => {
    const [writing, { Content }, { cover, square }] = await Promise.all([
      getWriting(post),
      renderWriting(post),
      getPostImages(post),
    ])
    const html = plainCode(await container.renderToString(Content))
    return {
      slug: post.id,
      data: { ...post.data, author: toByline(post.data) },
      cover,
      square,
      markdown: toMarkdown(writing),
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
