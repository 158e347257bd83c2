import { findBeside } from './file-beside.ts'

interface Named {
  readonly image?: { readonly src: string } | undefined
  readonly audio?: { readonly src: string; readonly transcript?: string | undefined } | undefined
}

/**
 * A sentence about a picture or recording of a post that does not exist, to be appended to the name of the post's file.
 */
export function missingFile({ image, audio }: Named, _id: string, file: string): string | undefined {
  const named = [
    ['image.src', image?.src],
    ['audio.src', audio?.src],
    ['audio.transcript', audio?.transcript],
  ] as const
  const missing = named.find(([, path]) => path !== undefined && findBeside(file, path) === undefined)
  return missing && `${missing[0]} names ${missing[1]}, and there is no such file beside the post`
}
