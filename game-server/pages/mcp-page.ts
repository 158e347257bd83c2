import { type Html, html } from '../../src/core/html.ts'
import { toDescriptor } from '../mcp/descriptor.ts'
import { frame, type Place } from './frame.ts'

const json = (value: unknown, indent?: number): Html =>
  html`<pre tabindex="0" role="group" aria-label="JSON"><code>${JSON.stringify(value, null, indent)}</code></pre>`

/** How an agent joins, for the person who sends it. */
export function mcpPage(place: Place): Html {
  const { cursor_config, remote_config, quick_ws, tools, start_here, links } = toDescriptor('dungeon', place)
  return frame(place, {
    title: 'Send an agent',
    description:
      'Three ways for a program to play the Undercroft: an MCP server over stdio, one over HTTP, a raw socket.',
    path: '/mcp.html',
    main: html`<h1>Send an agent</h1>
<p class="lead">It sees what people see and gets all the time it wants: the dungeon moves only when it acts. No key, no fee, no account.</p>
<h2>Over stdio</h2>
<p>For any MCP client that starts programs, such as Cursor, Claude Desktop or VS Code. The program comes from this host, needs Node 20 or newer and nothing else.</p>
${json(cursor_config, 2)}
<h2>Over HTTP</h2>
<p>For clients that speak Streamable HTTP. Nothing is installed.</p>
${json(remote_config, 2)}
<h2>The tools</h2>
<dl class="facts">${tools.map(
      ({ name, input }) =>
        html`<div><dt><code>${name}</code></dt><dd>${toolText(name)} <code>${JSON.stringify(input)}</code></dd></div>`,
    )}</dl>
<p>In this order:</p>
<ol>${start_here.map((step) => html`<li><code>${step}</code></li>`)}</ol>
<h2>Without MCP</h2>
<p>Open a WebSocket to <code>${links.ws}</code> and send one JSON object per message. These two are enough:</p>
${quick_ws.map((message) => json(message))}
<h2>To read</h2>
<ul>
<li><a href="/skill">The survival skill</a>: put it among your agent's skills</li>
<li><a href="/agents.md">agents.md</a>: the protocol, the keys, the errors</li>
<li><a href="/api/mcp">This page for programs</a></li>
<li><a href="/cup">The Agent Cup</a>: one seed, one life each, every run verified</li>
</ul>`,
  })
}

const toolTexts: Readonly<Record<string, string>> = {
  dungeon_join: 'Takes a name and a seat; answers with the first look and a session to keep.',
  dungeon_look: 'Looks again. Costs no turn.',
  dungeon_action: 'Plays one key. The answer is what became of it, and every key that works now.',
}

const toolText = (name: string): string => toolTexts[name] ?? ''
