import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { writingComponentFiles } from '../publishing/writing-component-files.ts'

const isUsed = (source: string, name: string): boolean => new RegExp(`<${name}[\\s/>]`).test(source)
const isNamed = (source: string, name: string): boolean => new RegExp(`^import .*\\b${name}\\b`, 'm').test(source)

/**
 * The source of a post with the imports of the components it uses. They go to the end, so that every line keeps its
 * number in messages.
 */
export function withImports(source: string, folder: string): string {
  const imports = Object.entries(writingComponentFiles)
    .filter(([name]) => isUsed(source, name) && !isNamed(source, name))
    .map(([name, file]) => `import ${name} from ${JSON.stringify(join(folder, file))}`)
  return imports.length === 0 ? source : `${source}\n\n${imports.join('\n')}\n`
}

/** Astro integration that lets posts and pages use the components of writing without importing them. */
export default function writingComponents(): AstroIntegration {
  return {
    name: 'writing-components',
    hooks: {
      'astro:config:setup': ({ config, updateConfig }) => {
        const folder = join(fileURLToPath(config.root), 'src/components')
        const plugin = {
          name: 'writing-components',
          enforce: 'pre' as const,
          transform: (source: string, id: string) =>
            /\.mdx(?:\?|$)/.test(id) ? { code: withImports(source, folder), map: null } : undefined,
        }
        updateConfig({ vite: { plugins: [plugin] } })
      },
    },
  }
}
