import { fileURLToPath } from 'node:url'
import { toThemeCss } from '../styles/theme.ts'
import { exactly } from './exactly.ts'
import type { VitePlugin } from './images/image-modules.ts'

// The id has no leading zero byte, as virtual modules usually have: Vite would not treat it as a stylesheet.
const themeModule = 'virtual:theme.css'
const settings = new URL('../../site.config.ts', import.meta.url)

/** `virtual:theme.css`: the operator's colours in the stylesheet of all pages; `npm run dev` follows their changes. */
export const themeModules = (): VitePlugin => ({
  name: 'theme-module',
  enforce: 'pre',
  resolveId: { filter: { id: exactly(themeModule) }, handler: (id) => id },
  load: {
    filter: { id: exactly(themeModule) },
    async handler() {
      this.addWatchFile(fileURLToPath(settings))
      const { default: site }: typeof import('../../site.config.ts') = await import(`${settings.href}?at=${Date.now()}`)
      return toThemeCss(site.accent)
    },
  },
})
