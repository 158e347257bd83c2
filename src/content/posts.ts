import { type CollectionEntry, getCollection } from 'astro:content'
import { builtAt } from '../config/site-context.ts'
import { withCoverLooks } from './cover-looks.ts'
import { allPosts, publishedPosts } from './published-posts.ts'
import { withoutEarlyRevisions } from './revisions.ts'

/** A published post, at build time. */
export type Post = CollectionEntry<'posts'>

async function findPosts(): Promise<readonly Post[]> {
  const posts = withoutEarlyRevisions(await getCollection('posts'))
  return withCoverLooks(import.meta.env.DEV ? allPosts(posts) : publishedPosts(posts, builtAt))
}

let found: Promise<readonly Post[]> | undefined

/**
 * The published posts, newest first, in a build the same each time; `npm run dev` shows drafts and what waits for its
 * time, too, as they are at that moment. Build-time only: a running server must not carry the collection.
 */
export async function getPosts(): Promise<Post[]> {
  if (import.meta.env.DEV) return [...(await findPosts())]
  found ??= findPosts()
  return [...(await found)]
}

/** Drafts, and what waits for its time, newest first. Build-time only. */
export async function getUnpublishedPosts(): Promise<Post[]> {
  const posts = withoutEarlyRevisions(await getCollection('posts'))
  return allPosts(posts.filter((post) => waitsFor(post) !== undefined))
}

/** What keeps a post from readers, in words for its author; undefined of a published one. */
export function waitsFor({ data }: Pick<Post, 'data'>): string | undefined {
  if (data.draft) return 'A draft: nobody else can see it.'
  return data.publishedAt > builtAt ? `Comes out at ${data.publishedAt.toISOString()}.` : undefined
}

/** Where a post is read. */
export const postPath = ({ id }: Pick<Post, 'id'>): `/${string}` => `/posts/${id}`
