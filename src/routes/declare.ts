import { alternatePath } from '../core/alternate.ts'
import type { Answer, Cache, Discovery, Host, Operation, Path, Route } from './route.ts'

/** The declaration of a route without its path and its host. */
export type Entry = Omit<Route, 'host' | 'path'> & { readonly alternate?: Omit<Route, 'host' | 'path'> }
type Parts = Omit<Operation, 'id' | 'title' | 'about' | 'answer'>
interface More extends Parts, Discovery, Pick<Route, 'isPrivate'> {
  readonly cache?: Cache
  /** The operations of its methods other than GET. */
  readonly also?: Route['operations']
}

/** Declares an operation. `words` is a title and, after a colon, a description of the response. */
export function operation(id: string, answer: Answer, words: string, parts: Parts = {}): Operation {
  const [title = '', about = title] = words.split(/: (.*)/s)
  return { id, title, about, answer, ...parts }
}

/** Makes a function that declares GET routes of one answerer. */
const reading =
  (by: Route['by'], usual: Cache) =>
  (id: string, answer: Answer, words: string, more: More = {}): Entry => {
    const { cache = usual, pointer, relation, homeRelation, section, isPrivate, also, ...parts } = more
    const operations = { GET: operation(id, answer, words, parts), ...also }
    return { by, cache, pointer, relation, homeRelation, section, isPrivate, operations }
  }

export const file = reading('file', 'while unchanged')
export const builtJson = reading('file', 'a minute')
export const endpoint = reading('endpoint', 'five minutes')
export const livePage = reading('live page', 'while asked')
export const sound = reading('sound', 'for ever')
export const program = reading('program', 'never')
export const gameText = reading('program', 'five minutes')
export const tools = reading('tools', 'a minute')
export const oauth = reading('oauth', 'an hour')

const html = { 'text/html': { type: 'string' } }
const markdown = { 'text/markdown': { type: 'string' } }
/** The media types of a page with a markdown alternate; `Accept` selects one. */
export const pageForms = { ...html, ...markdown, 'text/plain': { type: 'string' } }

/** A page that the game host makes for each request. */
export const gamePage = (id: string, words: string, parts: Parts = {}): Entry =>
  reading('program', 'while asked')(id, html, words, parts)

/** A page of the build: HTML, or by `Accept` the markdown that also has an address of its own. */
export function page(id: string, words: string, found: Discovery = {}, ofMarkdown: Discovery = {}): Entry {
  const declare = reading('page', 'while unchanged')
  const alternate = `${words.split(': ')[0]}: the page as markdown`
  return {
    ...declare(`show-${id}`, pageForms, words, found),
    alternate: declare(`get-${id}-markdown`, markdown, alternate, ofMarkdown),
  }
}

/** Declares a file that pages load. */
export const asset = (type: string, cache: Cache = 'while unchanged'): Entry =>
  reading('asset', cache)('load', type, 'Part of pages', { isPrivate: true })

/** Makes a function that declares POST routes of one answerer. */
const sending =
  (by: Route['by']) =>
  (
    id: string,
    answer: Answer,
    words: string,
    { isPrivate, ...parts }: Parts & Pick<Route, 'isPrivate'> = {},
  ): Entry => ({
    by,
    cache: 'never',
    isPrivate,
    operations: { POST: operation(id, answer, words, parts) },
  })

/** Declares a page that the operator reads in a browser; `does` describes the effect of a form that is posted there. */
export const desk = (id: string, words: string, does?: string, type = 'text/html'): Entry =>
  reading('operator', 'never')(id, type, words, {
    isPrivate: true,
    ...(does !== undefined && { also: { POST: operation(`${id}-form`, 'text/html', does) } }),
  })
/** Declares a route to which a form of the operator is posted. */
export const deskForm = (id: string, words: string): Entry =>
  sending('operator')(id, 'text/html', words, { isPrivate: true })

export const oauthPost = sending('oauth')
export const programPost = sending('program')

/** The routes of one host, including the markdown alternates of its pages. */
export const toRoutes = (host: Host, entries: Readonly<Record<Path, Entry>>): readonly Route[] =>
  Object.entries(entries).flatMap(([key, { alternate, ...entry }]): Route[] => {
    const path: Path = `/${key.slice(1)}`
    return [{ host, path, ...entry }, ...(alternate ? [{ host, path: alternatePath(path), ...alternate }] : [])]
  })
