import { type CollectionEntry, getCollection } from 'astro:content'
import { builtAt } from '../config/site-context.ts'
import { withCoverLooks } from './cover-looks.ts'
import { allPosts, publishedPosts } from './published-posts.ts'
import { withoutEarlyRevisions } from './revisions.ts'

/** A post, at build time. */
export type Post = CollectionEntry<'posts'>

async function findPosts(): Promise<readonly Post[]> {
  const posts = withoutEarlyRevisions(await getCollection('posts'))
  return withCoverLooks(import.meta.env.DEV ? allPosts(posts) : publishedPosts(posts, builtAt))
}

let found: Promise<readonly Post[]> | undefined

/**
 * The published posts, newest first; during a build every call returns the same ones. `npm run dev` also shows drafts
 * and posts that are not due yet, and reads them anew at each call. Build-time only: a running server must not contain
 * the collection.
 */
export async function getPosts(): Promise<Post[]> {
  if (import.meta.env.DEV) return [...(await findPosts())]
  found ??= findPosts()
  return [...(await found)]
}

/** Drafts and posts that are not due yet, newest first. Build-time only. */
export async function getUnpublishedPosts(): Promise<Post[]> {
  const posts = withoutEarlyRevisions(await getCollection('posts'))
  return allPosts(posts.filter((post) => waitsFor(post) !== undefined))
}

/** Why a post is not published, as a sentence for its author; undefined for a published post. */
export function waitsFor({ data }: Pick<Post, 'data'>): string | undefined {
  if (data.draft) return 'A draft: nobody else can see it.'
  return data.publishedAt > builtAt ? `Comes out at ${data.publishedAt.toISOString()}.` : undefined
}

/** The path of a post's page. */
export const postPath = ({ id }: Pick<Post, 'id'>): `/${string}` => `/posts/${id}`
