import type { AstroPrerenderer } from 'astro'

const asWritten = '<script type="module" src='
const late = '<script type="module" fetchpriority="low" src='

/**
 * Gives module scripts a low fetch priority (`fetchpriority`, HTML), because they only enhance a page: by default
 * browsers request them as urgently as a blocking script, ahead of what the page is painted with.
 */
export const withLateScripts = (prerenderer: AstroPrerenderer): AstroPrerenderer => ({
  ...prerenderer,
  async render(...asked) {
    const rendered = await prerenderer.render(...asked)
    const { response, ...rest } = rendered instanceof Response ? { response: rendered } : rendered
    if (!response.headers.get('content-type')?.startsWith('text/html')) return rendered
    return { ...rest, response: new Response((await response.text()).replaceAll(asWritten, late), response) }
  },
})
