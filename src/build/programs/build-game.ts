import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBundle } from '../../../game-server/mcp/build-bundle.ts'
import { buildClient } from '../../../game-server/pages/build-client.ts'
import { gameFiles } from '../../storage/build-folder.ts'
import { indexFiles } from '../index-files.ts'

/** Writes the files that the game host serves into a build's folder: scripts, styles, the MCP server's package. */
export async function buildGame({ root, outDir }: { root: string; outDir: string }): Promise<void> {
  const { client, manifest } = gameFiles(outDir)
  await Promise.all([buildClient(root, join(client, 'assets')), buildBundle(root, client)])
  await writeFile(manifest, JSON.stringify(await indexFiles(client, new Map())))
}
