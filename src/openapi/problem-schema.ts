import { z } from 'zod'
import { uri } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'

/** RFC 9457, with what a buyer needs to know about their money. */
export const problemSchema = z
  .object({
    type: uri.describe('A page that explains this kind of problem'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('Names this request; quote it in a report'),
    errors: z
      .array(
        z.object({
          pointer: z.string().optional().describe('JSON pointer into the body'),
          parameter: z.string().optional().describe('Name of the query parameter'),
          detail: z.string(),
        }),
      )
      .optional(),
    charged: z
      .union([z.boolean(), z.literal('unknown')])
      .optional()
      .describe('On paid routes: what happened to the money'),
    retryable: z.boolean().describe('Whether the identical request may succeed after Retry-After'),
  })
  .register(documents, {
    name: 'Problem',
    example: {
      type: 'https://shop.example/problems/invalid-input',
      title: 'The request does not match the schema',
      status: 400,
      detail: '1 field is wrong; nothing was charged and the same signature stays valid',
      instance: 'urn:request:0f8fad5b-d9cb-469f-a165-70867728950e',
      errors: [{ pointer: '/urls/3', detail: 'must start with https://' }],
      charged: false,
      retryable: false,
    },
  })
