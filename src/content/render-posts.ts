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

/** Kept for plain texts only: components may show the content of other files. */
const keptHtml = keptTexts.openKind<string>({ name: 'html', schema: z.string(), isKept: (post) => !isBundled(post) })

/** A post whose HTML is made only on request, because the HTML of all posts of a large site takes long to read. */
export interface PostWithHtml extends RenderedPost {
  readonly getHtml: () => Promise<string>
}

const toRendered =
  (container: AstroContainer) =>
  async (post: Post): Promise<PostWithHtml> => {
    const [markdown, { cover, square }] = await Promise.all([getMarkdown(post), getPostImages(post)])
    const render = async () => {
      const { Content } = await renderWriting(post)
      return plainCode(await container.renderToString(Content))
    }
    let html: Promise<string> | undefined
    return {
      slug: post.id,
      data: { ...post.data, author: toByline(post.data) },
      cover,
      square,
      markdown,
      getHtml: () => (html ??= keptHtml(post, render)),
    }
  }

async function renderAll(): Promise<PostWithHtml[]> {
  const container = await AstroContainer.create({ renderers: await loadRenderers([getContainerRenderer()]) })
  return Promise.all((await getPosts()).map(toRendered(container)))
}

let rendered: Promise<PostWithHtml[]> | undefined

/** The published posts with their texts, newest first. Build-time only; a build renders them once for all documents. */
export function renderPosts(): Promise<PostWithHtml[]> {
  if (import.meta.env.DEV) return renderAll()
  rendered ??= renderAll()
  return rendered
}
