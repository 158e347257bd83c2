// Prints every mistake in the files of `content/`, below the working directory, one line each.
// The exit code is `hasMistakes` when there is one.

import { openCollections } from '../collections.ts'
import { WritingError } from '../content/writing-error.ts'
import { readFolder } from './read-folder.ts'
import { hasMistakes } from './throw-mistakes.ts'

/** How many mistakes are printed: about as many as a person corrects in one go. */
const maxSaid = 30

const { posts, pages, skills } = await openCollections()

const mistakes: string[] = []
for (const read of [() => readFolder(posts), () => readFolder(pages), () => readFolder(skills)])
  try {
    read()
  } catch (error) {
    if (!(error instanceof WritingError)) throw error
    mistakes.push(...error.mistakes)
  }

for (const mistake of mistakes.slice(0, maxSaid)) console.log(mistake)
if (mistakes.length > maxSaid) console.log(`and ${mistakes.length - maxSaid} more`)
if (mistakes.length > 0) process.exitCode = hasMistakes
