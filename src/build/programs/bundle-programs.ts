import { existsSync, globSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { buildFiles } from '../../storage/build-folder.ts'
import { exactly } from '../exactly.ts'
import { smallCode } from '../small-code.ts'

/** The programs of an installation, and the workers that they run in processes and threads of their own. */
export const programSources: Readonly<Record<string, string>> = {
  site: 'src/site/main.ts',
  'game-host': 'game-server/host/main.ts',
  'worker-main': 'src/workers/worker-main.ts',
  'cover-worker': 'src/images/covers/cover-worker.ts',
  'narration-worker': 'src/narration/narrator/narration-worker.ts',
  'death-image-worker': 'game-server/pages/death-image-worker.ts',
  'page-worker': 'functions/llms-pack/reading/page-worker.ts',
  'backup-worker': 'src/backups/backup-worker.ts',
  'verify-worker': 'game-server/cup/verify-worker.ts',
}

const toUrlPath = (path: string): string => path.split(sep).join('/')

/**
 * Rewrites `import.meta.url` so that a bundled module finds its workers beside the bundle and everything else (fonts,
 * texts, packages) beside its source. Both are relative to the bundle, so that an installation can be moved.
 */
const makePlaces = (root: string, programs: string): Plugin => {
  const workers = new Map(Object.entries(programSources).map(([name, source]) => [join(root, source), name]))
  return {
    name: 'places',
    transform: {
      // Without a filter, the text of each of thousands of modules would be handed over.
      filter: { code: 'import.meta.url' },
      handler(code, id) {
        const besideBundle = code.replace(/new URL\('([\w./-]+\.ts)', import\.meta\.url\)/g, (found, file: string) => {
          const worker = workers.get(join(dirname(id), file))
          return worker === undefined ? found : `new URL('./${worker}.mjs', import.meta.bundle)`
        })
        const own = JSON.stringify(toUrlPath(relative(programs, id)))
        return besideBundle
          .replaceAll('import.meta.url', `new URL(${own}, import.meta.bundle).href`)
          .replaceAll('import.meta.bundle', 'import.meta.url')
      },
    },
  }
}

/**
 * Bundles the products, which a program finds by their folders, together with the program. Loaded separately, each
 * would have its own copies of the shared error classes.
 */
const makeProducts = (root: string): Plugin => ({
  name: 'products',
  transform: {
    filter: { id: exactly(join(root, 'src/offers/find-products.ts')) },
    handler(code, id) {
      const files = globSync(join(root, 'functions/*/{offer,make}.ts'))
      const loaders = files.map((file) => {
        const name = toUrlPath(relative(join(root, 'functions'), file))
        return `[${JSON.stringify(name)}, () => import(${JSON.stringify(file)})]`
      })
      const found = 'import(/* @vite-ignore */ pathToFileURL(path).href)'
      if (!code.includes(found)) throw new Error(`${id} no longer loads products by ${found}`)
      const bundled = "bundledProducts.get([folder, file].join('/'))?.()"
      return `const bundledProducts = new Map([${loaders}])\n${code.replace(found, `(${bundled} ?? ${found})`)}`
    },
  },
})

/**
 * Lets the MCP servers validate what they elicit from people with the smaller of the two validators in their package:
 * the other one is a seventh of all our code.
 */
const smallValidator: Plugin = {
  name: 'small-validator',
  load: {
    filter: { id: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ },
    handler: () =>
      "export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'; export { default as process } from 'node:process'",
  },
}

/**
 * Bundles the site and the game host, with all they import, into a few files of plain JavaScript. Started from
 * TypeScript and ten thousand modules, a program needs 60 MB more and twice the time to start.
 */
export async function bundlePrograms({
  root,
  outDir,
}: {
  readonly root: string
  readonly outDir: string
}): Promise<void> {
  const { programs } = buildFiles(outDir)
  const there = Object.entries(programSources)
    .map(([name, source]) => [name, join(root, source)] as const)
    .filter(([, file]) => existsSync(file))
  const isAlone = ([name]: readonly [string, string]): boolean => name === 'game-host'
  // Code that programs share is split into chunks by which programs need it. Reading forty of them took the game host a
  // twelfth of its start, so it is bundled separately, into a few files.
  for (const input of [there.filter((program) => !isAlone(program)), there.filter(isAlone)])
    if (input.length > 0) await bundleTogether(Object.fromEntries(input), { root, programs })
}

interface Place {
  readonly root: string
  readonly programs: string
}

async function bundleTogether(input: Record<string, string>, { root, programs }: Place): Promise<void> {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    // Native code cannot be bundled.
    external: ['sharp'],
    logLevel: 'silent',
    plugins: [makePlaces(root, programs), makeProducts(root), smallValidator],
  })
  await bundle.write({
    dir: programs,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    ...smallCode,
  })
  await bundle.close()
}
