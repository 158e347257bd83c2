import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { indexFiles } from '../src/build/index-files.ts'
import { gameFiles } from '../src/server/build-folder.ts'
import { buildBundle } from './mcp/build-bundle.ts'
import { buildClient } from './pages/build-client.ts'

/** Makes what the game host serves as files, into the folder of a build: scripts, styles, the tool server's package. */
export async function buildGame({ root, outDir }: { root: string; outDir: string }): Promise<void> {
  const { client, manifest } = gameFiles(outDir)
  await Promise.all([buildClient(root, join(client, 'assets')), buildBundle(root, client)])
  await writeFile(manifest, JSON.stringify(await indexFiles(client, new Map())))
}
