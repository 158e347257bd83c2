import { spawnSync } from 'node:child_process'
import { type OtherBuilder, outFolder, runBuilder, writeFiles } from './other-builder.ts'

/** A Hugo site with a page per post and a list of them, like the bare Astro site. */
const files: Readonly<Record<string, string>> = {
  'config.toml': `baseURL = "https://bare.example/"
title = "Bare"
publishDir = "${outFolder}"
disableKinds = ["taxonomy", "term", "section", "RSS", "sitemap", "404"]
[markup.highlight]
codeFences = false
`,
  'layouts/_default/single.html': `<html lang="en"><head><title>{{ .Title }}</title></head><body>
<h1>{{ .Title }}</h1><p>{{ .Params.excerpt }}</p>{{ .Content }}</body></html>
`,
  'layouts/index.html': `<html lang="en"><head><title>Bare</title></head><body>
<ul>{{ range .Site.RegularPages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul></body></html>
`,
}

/** How to build such a site with Hugo, or why that is not possible here. */
export function findHugo(): OtherBuilder | string {
  if (spawnSync('hugo', ['version']).status !== 0) return "not on this machine (Debian's package hugo)"
  return {
    extension: 'md',
    write: (folder) => writeFiles(folder, files),
    build: (folder) => runBuilder('hugo', ['--quiet'], folder),
  }
}
