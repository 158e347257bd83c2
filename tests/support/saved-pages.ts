import { divisions, forum, legal, letter, product, questions, shell, tables } from './saved-pages/other-pages.ts'
import { blog, machineMade, newspaper, phonePage, recipe } from './saved-pages/publications.ts'
import { changelog, docs, encyclopedia, reference, repository, tutorial } from './saved-pages/references.ts'
import type { SavedPage, Template } from './saved-pages/saved-page.ts'
import { arabic, hebrew, japanese, type Topic, topics } from './saved-pages/topics.ts'

const kinds: Readonly<Record<string, Template>> = {
  newspaper,
  blog,
  'phone page': phonePage,
  recipe,
  'machine-made classes': machineMade,
  docs,
  encyclopedia,
  tutorial,
  reference,
  changelog,
  repository,
  forum,
  product,
  'tables for layout': tables,
  'shell of a program': shell,
  legal,
  questions,
  letter,
  divisions,
}

const page = (kind: string, template: Template, topic: Topic): SavedPage & { name: string } => ({
  name: `${kind}: ${topic.title}`,
  ...template(
    topic,
    topics.filter((other) => other !== topic),
  ),
})

/** Fifty pages of nineteen kinds, as found on the web: hand-made, from themes, generated, and old ones. */
export const savedPages = [
  ...Object.entries(kinds).flatMap(([kind, template], at) =>
    [0, 3].map((step) => page(kind, template, topics[(at + step) % topics.length] ?? hebrew)),
  ),
  ...[hebrew, arabic, ...japanese].map((topic) => page('divisions', divisions, topic)),
  ...[hebrew, arabic, ...japanese].map((topic) => page('newspaper', newspaper, topic)),
  ...[hebrew, ...japanese.slice(1)].map((topic) => page('machine-made classes', machineMade, topic)),
  ...japanese.slice(0, 2).map((topic) => page('blog', blog, topic)),
]
