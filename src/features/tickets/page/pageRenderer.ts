import type { ForgeInstance } from '../../../forge/instance.ts';
import type { TicketRef } from '../../../forge/ticket.ts';
import type { MarkdownRenderer } from '../../../text/markdown.ts';
import { markdownWords } from '../pageStrings.ts';
import type { RenderChunk } from '../ticketsParts.ts';
import { ticketWebLink } from '../webLink.ts';

/** The Markdown renderer of all pages, loaded with the first of them. */
export interface PageRenderer {
	/** `undefined` before it is loaded. */
	readonly loaded: () => MarkdownRenderer | undefined;
	readonly load: () => Promise<MarkdownRenderer>;
}

/** Loads the bundle once at most, unless loading fails. */
export function pageRenderer(render: () => Promise<RenderChunk>): PageRenderer {
	let renderer: MarkdownRenderer | undefined;
	return {
		loaded: () => renderer,
		async load() {
			if (!renderer) {
				const chunk = await render();
				renderer ??= chunk.markdownRenderer(markdownWords());
			}
			return renderer;
		},
	};
}

/** Renders texts of one ticket, each of them once: a page redraws often and its texts rarely change. */
export function ticketHtml(
	renderer: MarkdownRenderer,
	instance: ForgeInstance,
	ref: TicketRef,
): (markdown: string) => string {
	const context = { base: ticketWebLink(instance, ref), tracker: ref.tracker };
	const rendered = new Map<string, string>();
	return (markdown) => {
		const html = rendered.get(markdown) ?? renderer.render(markdown, context);
		rendered.set(markdown, html);
		return html;
	};
}
