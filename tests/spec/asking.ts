import { expect } from 'vitest'
import type { RunningService } from '../support/running-service.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

/** The installation that all sections ask. It exists only while the tests run. */
export type Service = () => RunningService

/** A request with a JSON body. */
export const toPost = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** The JSON body of a path, which must respond with 200. */
export async function getJson(service: Service, path: string) {
  const answer = await service().fetch(path)
  expect(`${path} ${answer.status}`).toBe(`${path} 200`)
  return answer.json()
}

/** Fails if a document does not have the shape that the interface states. */
export const expectShape = (shape: object, document: unknown): void => {
  expect(findSchemaErrors(shape, document)).toEqual([])
}

/** A schema of an object that must have the required fields, with these types. */
export const fields = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

/** The payment terms of a 402, from its header. */
export function readTerms(answer: Response) {
  const header = answer.headers.get('payment-required')
  if (header === null) throw new Error(`${answer.url} answered ${answer.status} without PAYMENT-REQUIRED`)
  return JSON.parse(Buffer.from(header, 'base64').toString())
}
