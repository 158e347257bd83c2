import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Pictured {
  readonly image?: { readonly src: string } | undefined
}

/** What is wrong with a post whose picture is not there; the sentence goes on after the name of the post's file. */
export const missingPicture = ({ image }: Pictured, _id: string, file: string): string | undefined =>
  image && !existsSync(join(dirname(file), image.src))
    ? `image.src names ${image.src}, and there is no such file beside the post`
    : undefined
