import { join } from 'node:path'
import { readConfig } from './config/config.ts'
import type { ContentFolder } from './content/content-folder.ts'
import { missingFile } from './content/missing-file.ts'
import { pageSchema } from './content/page-schema.ts'
import { isPlainWriting } from './content/plain-writing.ts'
import { postSchema } from './content/post-schema.ts'
import { productSlugs, soldPaths } from './content/product-slugs.ts'
import { skillFrontMatterSchema } from './content/skill-schema.ts'
import { unknownProduct } from './content/unknown-product.ts'
import { findUnroutedFiles } from './content/unrouted-files.ts'
import { findTimingFault } from './content/waiting-posts.ts'
import { findWritingFaults } from './content/writing-faults.ts'
import { parseWriting } from './content/writing-tree.ts'
import { findProducts } from './offers/find-products.ts'
import type { Products } from './offers/products.ts'
import { isOwnPage } from './routes/is-own-page.ts'

/**
 * Opens the collections of the site, which are read from `content/` below the working directory, for the products that
 * are declared in its `functions/`.
 *
 * @throws Error of one sentence that names the folder of `functions/` whose declaration is wrong
 */
export async function openCollections() {
  return toCollections(await findProducts(join(process.cwd(), 'functions')))
}

function toCollections(products: Products) {
  const sold = soldPaths(products)
  const slugs = productSlugs(products, './content/skills')
  const { baseUrl } = readConfig(process.env)
  const findFaults = (source: string, file: string) => findWritingFaults(source, { file, products: slugs, baseUrl })

  const posts: ContentFolder<typeof postSchema> = {
    base: './content/posts',
    pattern: '*.mdx',
    schema: postSchema,
    check: (data, id, file, source) =>
      missingFile(data, id, file) ?? unknownProduct(data, slugs) ?? findTimingFault(data, source),
    findFaults,
    isCompiledLater: (source) => isPlainWriting(parseWriting(source)),
    findStrays: () => findUnroutedFiles('content'),
  }
  const pages: ContentFolder<typeof pageSchema> = {
    base: './content/pages',
    pattern: '*.mdx',
    schema: pageSchema,
    check: (_, id) => (isOwnPage(id, sold) ? `the site has a page of its own at /${id}; rename the file` : undefined),
    findFaults,
  }
  const skills: ContentFolder<typeof skillFrontMatterSchema> = {
    base: './content/skills',
    pattern: '*/SKILL.md',
    schema: skillFrontMatterSchema,
    toId: (entry) => entry.replace(/\/SKILL\.md$/, ''),
    isCompiledLater: () => true,
    check: ({ name }, folder) =>
      name === folder ? undefined : `name must equal the folder, ${folder}, but is ${name}`,
  }
  return { posts, pages, skills }
}
