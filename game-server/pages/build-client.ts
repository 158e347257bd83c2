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
 * Makes what browsers load: one script per page that has one, one stylesheet, the fonts of the press. Names carry
 * their content and may be kept for ever; `assets.json` says which they are.
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
  // Named like those that the sheet asks for, because of the same content.
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

/** In this order: what is said later wins. */
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

/** The sheets as one, with the fonts it names beside it. */
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
