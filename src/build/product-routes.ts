import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { findProducts } from '../offers/find-products.ts'
import { type Declared, toOffers, toRouteTemplate } from '../offers/products.ts'
import { exactly } from './exactly.ts'

const entrypoint = 'src/endpoints/paid.ts'

/** The route pattern as Astro writes it, such as `/skills/[slug]/raw`. */
const toPattern = (declared: Declared): string => toRouteTemplate(declared).replaceAll(/:(\w+)/g, '[$1]')

/** The code of a module that exports a map from each folder that has the file to the file's default export. */
function toModule(name: string, folders: readonly (readonly [folder: string, file: string])[]): string {
  const having = folders.filter(([, file]) => existsSync(file))
  const imports = having.map(([, file], at) => `import p${at} from ${JSON.stringify(file)}\n`)
  const entries = having.map(([folder], at) => `[${JSON.stringify(folder)}, p${at}]`)
  return `${imports.join('')}export const ${name} = new Map([${entries.join(', ')}])\n`
}

/**
 * Astro integration that reads `functions/`: it gives each product its endpoint, gives pages the declarations
 * (`virtual:products`), and gives the page of a product the component `showcase.astro` of its folder
 * (`virtual:showcases`).
 *
 * Its hooks throw an Error of one sentence, which ends the build, when a declaration is wrong or its path is taken.
 */
export default function productRoutes(): AstroIntegration {
  let patterns: ReadonlyMap<string, string>
  return {
    name: 'product-routes',
    hooks: {
      'astro:config:setup': async ({ config, injectRoute, updateConfig }) => {
        const root = join(fileURLToPath(config.root), 'functions')
        const products = await findProducts(root)
        // Checks the products against each other before any page is built.
        toOffers(products, [])
        patterns = new Map(Array.from(products, ([folder, declared]) => [toPattern(declared), folder]))
        for (const pattern of patterns.keys()) injectRoute({ pattern, entrypoint, prerender: false })
        const filesOf = (file: string) =>
          Array.from(products.keys(), (folder) => [folder, join(root, folder, file)] as const)
        const modules: Readonly<Record<string, string>> = {
          'virtual:products': toModule('products', filesOf('offer.ts')),
          'virtual:showcases': toModule('showcases', filesOf('showcase.astro')),
        }
        const names = Object.keys(modules)
        const plugin = {
          name: 'product-modules',
          resolveId: { filter: { id: names.map((name) => exactly(name)) }, handler: (id: string) => `\0${id}` },
          load: {
            filter: { id: names.map((name) => exactly(`\0${name}`)) },
            handler: (id: string) => modules[id.slice(1)],
          },
        }
        updateConfig({ vite: { plugins: [plugin] } })
      },
      'astro:routes:resolved': ({ routes }) => {
        for (const { pattern, entrypoint: other } of routes) {
          const folder = patterns.get(pattern)
          if (folder !== undefined && other !== entrypoint)
            throw new Error(`functions/${folder}/offer.ts: its path ${pattern} is that of ${other}; give it another`)
        }
      },
    },
  }
}
