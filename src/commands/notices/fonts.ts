import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'

/** A family of fonts in the repository, under the SIL Open Font License. */
export interface FontFamily {
  readonly name: string
  /** Paths below the repository. */
  readonly files: readonly string[]
  readonly copyright: string
  readonly licence: string
}

const ending = '-OFL.txt'
const start = 'This Font Software is licensed'

/**
 * Finds the fonts. The licence of `newsreader-text-latin.woff2` is beside it in `newsreader-OFL.txt`.
 *
 * @throws Error when a font has no licence beside it
 */
export function findFonts(root: string): FontFamily[] {
  const names = ['src', 'public', 'functions']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((item) => item.isFile())
    .map((item) => relative(root, join(item.parentPath, item.name)).split(sep).join('/'))
    .sort()
  const fonts = new Set(names.filter((name) => /\.(?:woff2?|ttf|otf)$/i.test(name)))
  const families = names
    .filter((name) => name.endsWith(ending))
    .map((file) => {
      const family = file.slice(0, -ending.length)
      const files = [...fonts].filter((name) => name.startsWith(`${family}-`) || name.startsWith(`${family}.`))
      for (const name of files) fonts.delete(name)
      const [copyright = '', ...licence] = readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n').split(start)
      return {
        name: `${basename(family)} (${dirname(file)})`,
        files: files.map((name) => basename(name)),
        copyright: copyright.trim().replaceAll('\n', '; '),
        licence: (start + licence.join(start)).trim(),
      }
    })
  const [bare] = fonts
  if (bare !== undefined) throw new Error(`${bare} has no licence beside it; add one as <family>${ending}`)
  return families
}
