import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The fonts of text, which every page preloads. */
export const wordFaces = ['newsreader-text-latin.woff2', 'newsreader-display-latin.woff2'] as const

/** The files that pages load, by their names in the source. */
export const assetNames = [
  ...wordFaces,
  'styles.css',
  'icon.svg',
  'front.js',
  'play.js',
  'watch.js',
  'replay.js',
  'store.js',
] as const

/** The name of such a file in the source. */
export type AssetName = (typeof assetNames)[number]

/** Returns the URL path of an asset. */
export type AssetPath = (name: AssetName) => string

/** The file in the build folder that maps names in the source to file names with a content hash. */
export const assetManifestFile = 'assets.json'

const manifest = z.record(z.enum(assetNames), z.string())

/**
 * Reads the asset manifest of a build.
 *
 * @throws Error when the manifest is missing, or lacks a file of this version
 */
export function readAssets(folder: string): AssetPath {
  const files = manifest.parse(JSON.parse(readFileSync(join(folder, assetManifestFile), 'utf8')))
  return (name) => `/assets/${files[name]}`
}
