import { join } from 'node:path'
import { fetchPeer } from '../fetch-peer.ts'
import { type OtherBuilder, outFolder, runBuilder, writeFiles } from './other-builder.ts'

/** An Eleventy site with a page per post and a list of them, like the bare Astro site. */
const files: Readonly<Record<string, string>> = {
  'eleventy.config.mjs': `export default (config) => {
  config.setQuietMode(true)
  config.addGlobalData('layout', 'post.njk')
  return { dir: { input: 'content', includes: '../layouts', output: '${outFolder}' }, markdownTemplateEngine: false }
}
`,
  'layouts/post.njk': `<html lang="en"><head><title>{{ title }}</title></head><body>
<h1>{{ title }}</h1><p>{{ excerpt }}</p>{{ content | safe }}</body></html>
`,
  'content/index.njk': `---
layout: false
eleventyExcludeFromCollections: true
---
<html lang="en"><head><title>Bare</title></head><body>
<ul>{% for post in collections.all %}<li><a href="{{ post.url }}">{{ post.data.title }}</a></li>{% endfor %}</ul></body></html>
`,
}

/** How to build such a site with Eleventy, or why that is not possible here. */
export function findEleventy(): OtherBuilder | string {
  const fetched = fetchPeer('eleventy', '@11ty/eleventy')
  if (fetched.is === 'missing') return fetched.why
  const program = join(fetched.packages, '@11ty/eleventy/cmd.cjs')
  return {
    extension: 'md',
    write: (folder) => writeFiles(folder, files),
    build: (folder) => runBuilder(process.execPath, [program], folder),
  }
}
