import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The smallest site that Astro's own server renders on request. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{"name":"standalone","type":"module","private":true}',
  'astro.config.mjs': `import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
export default defineConfig({ output: 'server', adapter: node({ mode: 'standalone' }), cacheDir: './.astro/' })
`,
  'src/pages/index.astro':
    '<html lang="en"><head><title>Bare</title></head><body><p>{new Date().toISOString()}</p></body></html>\n',
}

/** Writes the site into a folder. */
export function writeAstroStandalone(folder: string, root: string): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}
