// `npm run previews`: prints the links to unpublished posts on the running site.

import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { toPlainId } from '../content/content-folder.ts'
import { findUnpublishedPosts } from '../content/waiting-posts.ts'
import { toSaidText } from '../core/said-text.ts'
import { readPreviewSecret, toPreviewPath } from '../storage/preview-link.ts'

const help = `npm run previews

Prints links to unpublished posts on the running site, as they were in the last build. The links are secret: anybody
who has one can see the post.`

function list(): void {
  const config = readConfig(process.env)
  const posts = findUnpublishedPosts(fileURLToPath(new URL('../../', import.meta.url)), new Date())
  const secret = readPreviewSecret(config)
  for (const { file, publishedAt, isDraft } of posts) {
    const when = isDraft ? 'draft' : publishedAt.toISOString()
    console.log(`${when.padEnd(24)}  ${config.baseUrl}${toPreviewPath(secret, toPlainId(file))}`)
  }
  console.log(
    posts.length === 0
      ? 'every post is published'
      : 'who has a link sees the post as it was when the site was last built; keep the links to yourself',
  )
}

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  if (values.help === true) console.log(help)
  else list()
} catch (error) {
  // Prints the message without its stack: each expected error says what to change.
  console.error(toSaidText(error))
  process.exit(1)
}
