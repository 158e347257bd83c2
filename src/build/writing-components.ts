import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { componentForms } from '../content/component-forms.ts'
import { declaredNames } from '../content/expressions.ts'
import { findCaptioned } from '../content/find-captioned.ts'
import { withOwnAddress } from '../content/own-address.ts'
import { withFormulas } from '../content/with-formulas.ts'
import { nodesOf, parseWriting } from '../content/writing-tree.ts'

/**
 * The source of a post as it is compiled: formulas in the form that the parser understands, and imports for the
 * components that it uses. The imports go to the end, so that line numbers in messages stay right. A source that is
 * not valid MDX gets no imports.
 */
export function withImports(written: string, folder: string): string {
  const source = withFormulas(written)
  const root = parseWriting(source)
  if ('sentence' in root) return source
  const used = new Set(nodesOf(root).map((node) => (findCaptioned(node) ? 'Figure' : node.name)))
  const own = declaredNames(root)
  const imports = Object.entries(componentForms)
    .filter(([name]) => used.has(name) && !own.includes(name))
    .map(([name, { file }]) => `import ${name} from ${JSON.stringify(join(folder, file))}`)
  return imports.length === 0 ? source : `${source}\n\n${imports.join('\n')}\n`
}

/** Astro integration that lets posts and pages use the components of writing without importing them. */
export default function writingComponents(): AstroIntegration {
  return {
    name: 'writing-components',
    hooks: {
      'astro:config:setup': ({ config, updateConfig }) => {
        const baseUrl = config.site?.replace(/\/$/, '') ?? ''
        const folder = join(fileURLToPath(config.root), 'src/components')
        const plugin = {
          name: 'writing-components',
          enforce: 'pre' as const,
          transform: {
            filter: { id: /\.mdx(?:\?|$)/ },
            handler: (source: string, id: string) => ({
              code: withImports(withOwnAddress(source, id, baseUrl), folder),
              map: null,
            }),
          },
        }
        const compiler = {
          name: 'compile-writing',
          // These modules stay outside the pages' bundle, so that pages and build share one instance of each.
          resolveId: {
            filter: { id: /^virtual:(?:compile-in-thread|kept-texts|search-handover)$/ },
            handler: (id: string) => ({
              id: new URL(`${id.slice('virtual:'.length)}.ts`, import.meta.url).href,
              external: true,
            }),
          },
        }
        updateConfig({ vite: { plugins: [plugin, compiler] } })
      },
    },
  }
}
