import { mkdir, writeFile } from 'node:fs/promises'
import { indexFiles } from '../src/build/index-files.ts'
import { gameFiles } from '../src/server/build-folder.ts'

/** Makes what the game host serves as files, into the folder of a build: scripts, styles, the tool server's package. */
export async function buildGame({ outDir }: { root: string; outDir: string }): Promise<void> {
  const { client, manifest } = gameFiles(outDir)
  await mkdir(client, { recursive: true })
  await writeFile(manifest, JSON.stringify(await indexFiles(client, new Map())))
}
