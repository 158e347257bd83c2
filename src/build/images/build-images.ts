import { fileURLToPath } from 'node:url'
import { buildFiles } from '../../storage/build-folder.ts'
import { openMadeImages } from './made-images.ts'
import { openPostPictures } from './post-images.ts'
import { openSamplePictures } from './sample-images.ts'
import { openSitePictures } from './site-images.ts'

// The pages of a build and the step that writes the files share these. The folder is outside the builds and outlives
// them.
const madeImages = openMadeImages(fileURLToPath(new URL('../../../.cache/images/', import.meta.url)))
const posts = openPostPictures(madeImages)
const site = openSitePictures(madeImages)
const samples = openSamplePictures(madeImages)

export const getPostImages = posts.get
export const getSampleImages = samples.get
export const { getTitleCard, getShownArtwork, getSiteImages } = site

/** The file behind a picture's name, for the development server, which has no client folder. */
export const findPicture = async (name: string): Promise<string | undefined> =>
  // The request for the front page has an empty name, and the folder of pictures is not a file.
  isFileName(name)
    ? ((await site.findIcon(name)) ?? (await posts.findFile(name)) ?? (await madeImages.findFile(name)))
    : undefined

const isFileName = (name: string): boolean => /^[\w-]+\.\w+$/.test(name)

/**
 * The names of the pictures that single pages requested while they were rendered. The pictures of posts are not among
 * them, because every build lists those.
 */
export const listAskedNames = async (): Promise<string[]> => [
  ...(await site.listNames()),
  ...(await samples.listNames()),
]

/** Writes the pictures that pages requested into a build, and closes the worker threads. */
export async function writeImages(outDir: string): Promise<void> {
  await posts.write(outDir)
  await site.write(buildFiles(outDir).client)
  await samples.write(buildFiles(outDir).client)
  await madeImages.close()
}
