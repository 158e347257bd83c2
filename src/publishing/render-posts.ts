import { loadRenderers } from 'astro:container'
import { render } from 'astro:content'
import { getPostImages } from 'virtual:make-images'
import { getContainerRenderer } from '@astrojs/mdx/container-renderer'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import type { ProductLines } from './components-to-markdown.ts'
import { mdxToMarkdown } from './mdx-to-markdown.ts'
import { plainCode } from './plain-code.ts'
import { getPosts, type Post } from './posts.ts'
import type { RenderedPost } from './posts-export.ts'
import { getProductLines } from './product-lines.ts'
import { readSource } from './read-source.ts'

const toRendered =
  (container: AstroContainer, products: ProductLines) =>
  async (post: Post): Promise<RenderedPost> => {
    const [source, { Content }, { cover, square }] = await Promise.all([
      readSource(post),
      render(post),
      getPostImages(post),
    ])
    const html = plainCode(await container.renderToString(Content))
    return { slug: post.id, data: post.data, cover, square, markdown: mdxToMarkdown(source.toString(), products), html }
  }

async function renderAll(): Promise<RenderedPost[]> {
  const container = await AstroContainer.create({ renderers: await loadRenderers([getContainerRenderer()]) })
  return Promise.all((await getPosts()).map(toRendered(container, await getProductLines())))
}

let rendered: Promise<RenderedPost[]> | undefined

/** The published posts with their texts, newest first. Build-time only; a build renders them once for all documents. */
export function renderPosts(): Promise<RenderedPost[]> {
  if (import.meta.env.DEV) return renderAll()
  rendered ??= renderAll()
  return rendered
}
