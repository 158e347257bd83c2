import { findBeside } from './file-beside.ts'

interface Named {
  readonly image?: { readonly src: string } | undefined
  readonly audio?: { readonly src: string; readonly transcript?: string | undefined } | undefined
}

/** What is wrong with a post whose picture or recording is not there; the sentence goes on after the name of the post's file. */
export function missingFile({ image, audio }: Named, _id: string, file: string): string | undefined {
  const named = [
    ['image.src', image?.src],
    ['audio.src', audio?.src],
    ['audio.transcript', audio?.transcript],
  ] as const
  const missing = named.find(([, path]) => path !== undefined && findBeside(file, path) === undefined)
  return missing && `${missing[0]} names ${missing[1]}, and there is no such file beside the post`
}
