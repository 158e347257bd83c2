import { fileURLToPath } from 'node:url'
import { buildFiles } from '../../storage/build-folder.ts'
import { openMadeImages } from './made-images.ts'
import { openPostPictures } from './post-images.ts'
import { openSamplePictures } from './sample-images.ts'
import { openSitePictures } from './site-images.ts'

// One collection for the pages of a build and the step after them. The folder is outside the builds: it survives them.
const madeImages = openMadeImages(fileURLToPath(new URL('../../../.cache/images/', import.meta.url)))
const posts = openPostPictures(madeImages)
const site = openSitePictures(madeImages)
const samples = openSamplePictures(madeImages)

export const getPostImages = posts.get
export const getSampleImages = samples.get
export const { getTitleCard, getShownArtwork, getSiteImages } = site

/** The file behind a picture's name, for the development server, which has no client folder. */
export const findPicture = async (name: string): Promise<string | undefined> =>
  // The front page asks for no name at all, and the folder of pictures is not one.
  isFileName(name)
    ? ((await site.findIcon(name)) ?? (await posts.findFile(name)) ?? (await madeImages.findFile(name)))
    : undefined

const isFileName = (name: string): boolean => /^[\w-]+\.\w+$/.test(name)

/** The names of the pictures that single pages asked for while they were rendered; of those of posts every build is told. */
export const listAskedNames = async (): Promise<string[]> => [
  ...(await site.listNames()),
  ...(await samples.listNames()),
]

/** Puts the pictures that pages named into a build, and ends the work on pictures. */
export async function writeImages(outDir: string): Promise<void> {
  await posts.write(outDir)
  await site.write(buildFiles(outDir).client)
  await samples.write(buildFiles(outDir).client)
  await madeImages.close()
}
