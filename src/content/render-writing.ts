import { render } from 'astro:content'
import { compileFunction } from 'node:vm'
import { compileWriting } from 'virtual:compile-in-thread'
import { keptTexts } from 'virtual:kept-texts'
import * as jsxRuntime from 'astro/jsx-runtime'
import { createComponent, Renderer, renderComponent, renderTemplate } from 'astro/runtime/server/index.js'
import { z } from 'zod'
import { isBundled } from './bundled-texts.ts'
import { getWriting } from './get-writing.ts'
import { isPlainWriting } from './plain-writing.ts'
import type { Post } from './posts.ts'
import { readSource } from './read-source.ts'

/** Shared by the page and the documents of one build. */
const compiledWriting = keptTexts.openKind({ name: 'compiled', schema: z.string(), isForThisBuild: true })

type Rendered = Pick<Awaited<ReturnType<typeof render>>, 'Content' | 'headings'>

/**
 * The component that shows a post's text, and its headings. Build-time only. Plain texts are compiled here; others were
 * compiled with the pages.
 */
export async function renderWriting(post: Post): Promise<Rendered> {
  if (isBundled(post)) return await render(post)
  // The cached collection was written by a version that classified other texts as plain.
  if (!isPlainWriting((await getWriting(post)).root))
    throw new Error(`${post.filePath}: delete the folder .astro, and build again`)
  const file = post.filePath ?? post.id
  const compiled = await compiledWriting(post, async () => compileWriting(readSource(post).toString(), file))
  const { MDXContent, headings } = compileFunction(compiled, ['jsxRuntime'], { filename: file })(jsxRuntime)
  return { Content: toComponent(MDXContent, file), headings }
}

/** Wraps compiled MDX in a component, as Astro's MDX modules do. */
function toComponent(MDXContent: (props: object) => unknown, file: string): Rendered['Content'] {
  const Content = (props: { components?: object } = {}) =>
    MDXContent({ ...props, components: { Fragment: jsxRuntime.Fragment, ...props.components } })
  Object.assign(Content, {
    [Symbol.for('mdx-component')]: true,
    [Symbol.for('astro.needsHeadRendering')]: true,
    [Renderer]: 'astro:jsx',
    moduleId: file,
  })
  return createComponent({
    factory: (result, props, slots) =>
      renderTemplate`${renderComponent(result, 'Content', Content, { components: {}, ...props }, slots)}`,
  })
}
