import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { validate } from '../core/validate.ts'
import type { Maker } from './make.ts'
import type { Declared, Products } from './products.ts'

const declaredSchema = z.object({
  default: z.custom<Declared>(
    (value) => typeof value === 'object' && value !== null && ('path' in value || 'offersOf' in value),
    'export by default what defineOffer returns',
  ),
})

/**
 * Reads the declarations of all products. A new product is a new folder: there is no other list of them.
 *
 * @param root the folder that holds the folders of the products
 * @throws Error of one sentence that names the folder whose declaration is wrong
 */
export async function findProducts(root: string): Promise<Products> {
  const items = readdirSync(root, { withFileTypes: true }).filter((item) => item.isDirectory() && !isEmpty(root, item))
  const products = await Promise.all(
    items.map(async ({ name: folder }) => {
      for (const [file, what] of [
        ['offer.ts', 'what is sold'],
        ['make.ts', 'how it is made'],
      ] as const)
        if (!existsSync(join(root, folder, file)))
          throw new Error(`functions/${folder} lacks ${file}, which says ${what}`)
      const { default: declared } = await load(root, folder, 'offer.ts', declaredSchema)
      if ('slug' in declared && declared.slug !== folder)
        throw new Error(
          `functions/${folder}/offer.ts: the slug is the folder's name, ${folder}, and not ${declared.slug}`,
        )
      return [folder, declared] as const
    }),
  )
  return new Map(products)
}

/**
 * Loads the maker of a folder's products, the default export of its `make.ts`.
 *
 * @throws Error of one sentence that names the folder
 */
export async function findMaker<Context>(root: string, folder: string): Promise<Maker<Context>> {
  const makerSchema = z.object({
    default: z.custom<Maker<Context>>((value) => typeof value === 'function', 'export by default a function'),
  })
  return (await load(root, folder, 'make.ts', makerSchema)).default
}

/** Whether a folder holds no files: Git may leave empty folders behind when files are moved. */
const isEmpty = (root: string, { name }: Dirent): boolean =>
  readdirSync(join(root, name), { recursive: true, withFileTypes: true }).every((item) => item.isDirectory())

async function load<Module>(root: string, folder: string, file: string, schema: z.ZodType<Module>): Promise<Module> {
  const path = join(root, folder, file)
  const toError = (reason: unknown, options?: ErrorOptions) =>
    new Error(`functions/${folder}/${file}: ${reason}`, options)
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(path).href).catch((cause: unknown) => {
    throw toError(cause instanceof Error ? cause.message : cause, { cause })
  })
  const read = validate(schema, module)
  if (read.is === 'wrong') throw toError(read.faults[0]?.detail)
  return read.value
}
