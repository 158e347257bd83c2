// @ts-check
import { satteri } from '@astrojs/markdown-satteri'
import mdx from '@astrojs/mdx'
import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
import { captions } from './src/build/captions.ts'
import { codeClasses } from './src/build/code-classes.ts'
import { pagePlugins } from './src/build/page-plugins.ts'
import productRoutes from './src/build/product-routes.ts'
import staticManifest from './src/build/static-manifest.ts'
import writingComponents from './src/build/writing-components.ts'
import { readConfig } from './src/config/config.ts'
import { diagramLanguage } from './src/content/draw-diagram.ts'
import { features } from './src/content/syntax.ts'

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
  markdown: {
    processor: satteri({ features, mdastPlugins: [captions], hastPlugins: pagePlugins }),
    syntaxHighlight: { type: 'shiki', excludeLangs: ['math', diagramLanguage] },
    shikiConfig: { theme: 'css-variables', transformers: [codeClasses] },
  },
  // Components are written into the sources before they are compiled.
  integrations: [productRoutes(), writingComponents(), mdx(), staticManifest()],
  session: false,
  // There are no cookies to protect, and a POST without a content type must reach the paid routes.
  security: { checkOrigin: false },
  devToolbar: { enabled: false },
})
