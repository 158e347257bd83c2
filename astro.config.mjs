// @ts-check
import mdx from '@astrojs/mdx'
import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
import { markdown, optimize } from './src/build/markdown.ts'
import productRoutes from './src/build/product-routes.ts'
import staticManifest from './src/build/static-manifest.ts'
import writingComponents from './src/build/writing-components.ts'
import { readConfig } from './src/config/config.ts'

export default defineConfig({
  site: readConfig(process.env).baseUrl,
  output: 'static',
  // One data store for build, sync, dev and check; survives a fresh install.
  cacheDir: './.astro/',
  trailingSlash: 'never',
  // The pages' policy forbids inline scripts and styles.
  build: { format: 'directory', inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  // The default joins words across line breaks between inline elements.
  compressHTML: true,
  adapter: node({ mode: 'middleware', staticHeaders: true, bodySizeLimit: 1024 * 1024 }),
  markdown,
  // Components are written into the sources before they are compiled.
  integrations: [
    productRoutes(),
    writingComponents(),
    mdx({ optimize }),
    staticManifest({ earlier: process.env.EARLIER_BUILD }),
  ],
  session: false,
  // There are no cookies to protect, and a POST without a content type must reach the paid routes.
  security: { checkOrigin: false },
  devToolbar: { enabled: false },
})
