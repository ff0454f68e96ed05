import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { PageHost } from '../../editor/pageHost.ts';
import type { Problems } from '../../editor/problems.ts';
import type { Connections } from '../../state/connection.ts';
import type { Drafts } from '../../state/drafts.ts';
import type { MarkdownRenderer, MarkdownWords } from '../../text/markdown.ts';

/** What the heavy bundle with the Markdown renderer offers. */
export interface RenderChunk {
	markdownRenderer(words: MarkdownWords): MarkdownRenderer;
}

/** What tickets need of the rest of the program. */
export interface TicketsParts {
	readonly connections: Connections;
	/** Loads the renderer on first use. */
	readonly render: () => Promise<RenderChunk>;
	readonly pages: PageHost;
	readonly problems: Problems;
	readonly drafts: Drafts;
	readonly clock: Clock;
	readonly log: Log;
}
