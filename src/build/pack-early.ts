import type { AstroPrerenderer } from 'astro'
import { isCompressible } from '../http/static/content-type.ts'
import type { Packer } from './packed-forms.ts'
import { withoutPlaceholders } from './take-out-placeholders.ts'

/**
 * Starts to compress each response as soon as it is rendered, in the form in which it will be served. Files that are
 * later moved to where no URL reaches are left out.
 */
export const packEarly = (
  prerenderer: AstroPrerenderer,
  packer: Pick<Packer, 'begin'>,
  isServed: (path: string) => boolean,
): AstroPrerenderer => ({
  ...prerenderer,
  async render(request, options) {
    const rendered = await prerenderer.render(request, options)
    const { response, ...rest } = rendered instanceof Response ? { response: rendered } : rendered
    const type = response.headers.get('content-type') ?? ''
    if (!isCompressible(type) || !isServed(new URL(request.url).pathname)) return rendered
    const body = Buffer.from(await response.arrayBuffer())
    const served = type.startsWith('text/html') ? withoutPlaceholders(body.toString()) : undefined
    packer.begin(served === undefined ? body : Buffer.from(served))
    return { ...rest, response: new Response(body, response) }
  },
})
