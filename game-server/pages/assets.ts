import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The faces of the words, which every page loads at once. */
export const wordFaces = ['newsreader-text-latin.woff2', 'newsreader-display-latin.woff2'] as const

/** What the pages load, by the names they have in the source. */
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

/** One of them. */
export type AssetName = (typeof assetNames)[number]

/** Where a browser finds an asset. */
export type AssetPath = (name: AssetName) => string

/** The file in the built folder that says which name carries which content. */
export const assetManifestFile = 'assets.json'

const manifest = z.record(z.enum(assetNames), z.string())

/**
 * Reads which files the build made.
 *
 * @throws Error when the folder was not built by this version
 */
export function readAssets(folder: string): AssetPath {
  const files = manifest.parse(JSON.parse(readFileSync(join(folder, assetManifestFile), 'utf8')))
  return (name) => `/assets/${files[name]}`
}
