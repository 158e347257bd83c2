import type { AstroPrerenderer } from 'astro'

const asWritten = '<script type="module" src='
const late = '<script type="module" fetchpriority="low" src='

/**
 * Lets scripts that only add to a page come after what it is painted with: browsers ask for modules as urgently as for
 * a script that holds up the page (Fetch priority, HTML).
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
