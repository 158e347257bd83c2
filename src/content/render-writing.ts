import { render } from 'astro:content'
import { compileFunction } from 'node:vm'
import { compileWriting } from 'virtual:compile-writing'
import * as jsxRuntime from 'astro/jsx-runtime'
import { createComponent, Renderer, renderComponent, renderTemplate } from 'astro/runtime/server/index.js'
import { getWriting } from './get-writing.ts'
import { isPlainWriting } from './plain-writing.ts'
import type { Post } from './posts.ts'
import { readSource } from './read-source.ts'

type Rendered = Pick<Awaited<ReturnType<typeof render>>, 'Content' | 'headings'>

/**
 * What a page shows of a post's text, and its headings. Build-time only: texts that are plain are compiled here, others
 * were compiled with the pages.
 */
export async function renderWriting(post: Post): Promise<Rendered> {
  if (!isPlainWriting((await getWriting(post)).root)) {
    // Astro would show nothing at all.
    if (!('deferredRender' in post)) throw new Error(`${post.filePath}: delete the folder .astro, and build again`)
    return await render(post)
  }
  const file = post.filePath ?? post.id
  const compiled = await compileWriting((await readSource(post)).toString(), file)
  const { MDXContent, headings } = compileFunction(compiled, ['jsxRuntime'], { filename: file })(jsxRuntime)
  return { Content: toComponent(MDXContent, file), headings }
}

/** As Astro's own modules of MDX are. */
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
