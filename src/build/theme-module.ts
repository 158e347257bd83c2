import { fileURLToPath } from 'node:url'
import { toThemeCss } from '../styles/theme.ts'
import type { VitePlugin } from './images/image-modules.ts'

// A name without the usual zero byte: with one it would not be taken for a stylesheet.
const themeModule = 'virtual:theme.css'
const settings = new URL('../../site.config.ts', import.meta.url)

/** `virtual:theme.css`: the operator's colours as a part of the sheet of all pages, in `npm run dev` as they are now. */
export const themeModules = (): VitePlugin => ({
  name: 'theme-module',
  enforce: 'pre',
  resolveId: (id: string) => (id === themeModule ? id : undefined),
  async load(id: string) {
    if (id !== themeModule) return undefined
    this.addWatchFile(fileURLToPath(settings))
    const { default: site }: typeof import('../../site.config.ts') = await import(`${settings.href}?at=${Date.now()}`)
    return toThemeCss(site.accent)
  },
})
