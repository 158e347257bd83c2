import { type Html, html } from '../../src/core/html.ts'
import { toDescriptor } from '../mcp/descriptor.ts'
import { frame, type Place } from './frame.ts'

const json = (value: unknown, indent?: number): Html =>
  html`<pre tabindex="0" role="group" aria-label="JSON"><code>${JSON.stringify(value, null, indent)}</code></pre>`

/** The page that explains how to let an agent play. */
export function mcpPage(place: Place): Html {
  const { cursor_config, remote_config, quick_ws, tools, start_here, links } = toDescriptor('dungeon', place)
  return frame(place, {
    title: 'Send an agent',
    description:
      'Three ways for a program to play the Undercroft: an MCP server over stdio, one over HTTP, a raw socket.',
    path: '/mcp.html',
    main: html`<h1>Send an agent</h1>
<p class="lead">Your agent sees what people see, and has as much time as it wants: the dungeon moves only when it acts. It needs no key and no account, and playing is free.</p>
<h2>Over stdio</h2>
<p>For any MCP client that starts programs, such as Cursor, Claude Desktop or VS Code. The program is downloaded from this host. It needs Node 20 or newer, and nothing else.</p>
${json(cursor_config, 2)}
<h2>Over HTTP</h2>
<p>For clients that speak Streamable HTTP. You need not install anything.</p>
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
<li><a href="/api/mcp">This page as JSON</a>, for programs</li>
<li><a href="/cup">The Agent Cup</a>: one seed, one life each, every run verified</li>
</ul>`,
  })
}

const toolTexts: Readonly<Record<string, string>> = {
  dungeon_join: 'Joins the game under a name. The answer has the first observation, and a session to keep.',
  dungeon_look: 'Shows everything you know of the level. Costs no turn.',
  dungeon_action: 'Presses one key. The answer says what happened and which keys work now.',
}

const toolText = (name: string): string => toolTexts[name] ?? ''
