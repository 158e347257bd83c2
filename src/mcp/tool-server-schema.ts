import { z } from 'zod'
import { uri } from '../core/formats.ts'
import { documents } from '../core/json-schema.ts'

/** The response to a GET of the MCP address by a program. */
export const toolServerSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    version: z.string(),
    description: z.string(),
    docs: uri,
    url: uri,
    transport: z.literal('streamable-http'),
    protocol_versions: z.array(z.string()),
    config: z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) }).describe('For the settings of a client'),
    tools: z.array(
      z.looseObject({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        price: z.string().nullable().describe('For people; null: free'),
      }),
    ),
  })
  .register(documents, { name: 'ToolServer' })
