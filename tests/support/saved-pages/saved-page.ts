import type { Topic } from './topics.ts'

/** A page with its own sentences, and those that are only around them. */
export interface SavedPage {
  readonly html: string
  readonly main: readonly string[]
  readonly chrome: readonly string[]
}

/** Renders a text as a page of one kind. */
export type Template = (topic: Topic, others: readonly Topic[]) => SavedPage

type Field = 'title' | 'lead' | 'paragraphs' | 'points' | 'facts'

/** The sentences of these fields of a topic. */
export const textOf = (topic: Topic, ...fields: readonly Field[]): string[] =>
  fields.flatMap((field) => (field === 'facts' ? topic.facts.flat() : topic[field]))

export const all = (topic: Topic): string[] => textOf(topic, 'title', 'lead', 'paragraphs', 'points', 'facts')

export const paragraphs = (texts: readonly string[]): string => texts.map((text) => `<p>${text}</p>`).join('\n')
export const items = (texts: readonly string[]): string => texts.map((text) => `<li>${text}</li>`).join('')
export const anchors = (texts: readonly string[]): string =>
  texts.map((text, at) => `<li><a href="/x/${at}">${text}</a></li>`).join('')
