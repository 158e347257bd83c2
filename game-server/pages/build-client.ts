import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { type AssetName, assetManifestFile, assetNames } from './assets.ts'

const toNamed = (name: string, content: string | Buffer): string => {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  return name.replace(/\.(\w+)$/, `-${hash}.$1`)
}

/**
 * Builds the assets of the pages: one script for each page that has one, one stylesheet, and the fonts. File names have
 * a content hash, so that they can be cached without a limit; `assets.json` lists them.
 */
export async function buildClient(root: string, outDir: string): Promise<void> {
  await mkdir(outDir, { recursive: true })
  const files: Record<string, string> = {}
  for (const name of assetNames) {
    files[name] = await keep(outDir, name, await make(root, outDir, name))
  }
  await writeFile(join(outDir, assetManifestFile), JSON.stringify(files))
}

async function make(root: string, outDir: string, name: AssetName): Promise<string | Buffer> {
  if (name === 'styles.css') return await makeStyles(root, outDir)
  // The stylesheet uses the same fonts: the same content gets the same name.
  if (name.endsWith('.woff2')) return readFileSync(join(root, 'src/styles/fonts', name))
  return name.endsWith('.js') ? await bundle(root, name) : readFileSync(join(root, 'game-server/pages', name))
}

async function keep(outDir: string, name: string, content: string | Buffer): Promise<string> {
  const named = toNamed(name, content)
  await writeFile(join(outDir, named), content)
  return named
}

async function bundle(root: string, name: string): Promise<string> {
  const input = join(root, 'game-server/pages/client', name.replace(/\.js$/, '.ts'))
  const build = await rolldown({ input, cwd: root, platform: 'browser', transform: { target: 'es2022' } })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: true })
  await build.close()
  return output[0].code
}

/** The stylesheets in cascade order. */
const sheets = [
  '../../../src/styles/fallback-fonts',
  'fonts',
  'tokens',
  'base',
  'frame',
  'lists',
  'play',
  'side',
  'door',
  'pad',
  'small-screens',
  'dialogs',
  'store',
  'death',
  'front',
]

/** Joins the stylesheets, without comments, and writes the fonts that they use. */
async function makeStyles(root: string, outDir: string): Promise<string> {
  const fonts = new Map<string, string>()
  const texts = sheets.map((sheet) => readFileSync(join(root, 'game-server/pages/styles', `${sheet}.css`), 'utf8'))
  for (const [, path = ''] of texts.join('\n').matchAll(/url\("([^"]+\.woff2)"\)/g)) {
    const content = readFileSync(join(root, 'game-server/pages/styles', path))
    fonts.set(path, await keep(outDir, basename(path), content))
  }
  return texts
    .join('\n')
    .replace(/url\("([^"]+\.woff2)"\)/g, (_, path: string) => `url("${fonts.get(path)}")`)
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '\n')
}
